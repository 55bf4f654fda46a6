with workloads as (

    select * from {{ ref('int_workloads_rated') }}

),

final as (

    select
        base.submission_id,
        base.configuration_id,
        base.section,
        base.load_basis,
        base.basis,
        base.access_pattern,
        base.block_size_bytes,
        base.workload_id as base_workload_id,
        base.load_profile as base_load_profile,
        written.workload_id as written_workload_id,
        written.load_profile as written_load_profile,
        base.read_ratio as base_read_ratio,
        written.read_ratio as written_read_ratio,
        base.operations_per_second as base_operations_per_second,
        written.operations_per_second as written_operations_per_second,
        written.operations_per_second / base.operations_per_second as effect_ratio
    from workloads as base
    inner join workloads as written
        on
            base.submission_id = written.submission_id
            and base.configuration_id = written.configuration_id
            and base.section = written.section
            and base.load_basis = written.load_basis
            and base.basis = written.basis
            and base.access_pattern = written.access_pattern
            and base.block_size_bytes = written.block_size_bytes
    where written.read_ratio < base.read_ratio

)

select * from final
