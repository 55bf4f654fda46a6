with workloads as (

    select * from {{ ref('int_workloads_rated') }}

),

final as (

    select
        smaller.submission_id,
        smaller.configuration_id,
        smaller.section,
        smaller.load_basis,
        smaller.basis,
        smaller.access_pattern,
        smaller.read_ratio,
        smaller.workload_id as smaller_workload_id,
        smaller.load_profile as smaller_load_profile,
        larger.workload_id as larger_workload_id,
        larger.load_profile as larger_load_profile,
        smaller.block_size_bytes as smaller_block_size_bytes,
        larger.block_size_bytes as larger_block_size_bytes,
        smaller.operations_per_second as smaller_operations_per_second,
        larger.operations_per_second as larger_operations_per_second,
        smaller.operations_per_second / larger.operations_per_second as operations_ratio,
        (smaller.operations_per_second * smaller.block_size_bytes)
        / (larger.operations_per_second * larger.block_size_bytes) as throughput_ratio
    from workloads as smaller
    inner join workloads as larger
        on
            smaller.submission_id = larger.submission_id
            and smaller.configuration_id = larger.configuration_id
            and smaller.section = larger.section
            and smaller.load_basis = larger.load_basis
            and smaller.basis = larger.basis
            and smaller.access_pattern = larger.access_pattern
            and smaller.read_ratio = larger.read_ratio
    where smaller.block_size_bytes < larger.block_size_bytes

)

select * from final
