with workloads as (

    select * from {{ ref('int_workloads_matched') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

final as (

    select
        workloads.submission_id,
        workloads.a_configuration_id as smaller_configuration_id,
        workloads.b_configuration_id as larger_configuration_id,
        workloads.section,
        workloads.workload_id,
        workloads.load_profile,
        workloads.access_pattern,
        workloads.read_ratio,
        workloads.block_size_bytes,
        workloads.load_basis,
        workloads.basis,
        smaller.device_id,
        smaller.device,
        workloads.a_operations_per_second as smaller_operations_per_second,
        workloads.b_operations_per_second as larger_operations_per_second,
        smaller.measurement_area_bytes as smaller_area_bytes,
        larger.measurement_area_bytes as larger_area_bytes,
        smaller.measurement_area_ratio as smaller_area_ratio,
        larger.measurement_area_ratio as larger_area_ratio,
        workloads.effect_ratio,
        workloads.unknown_field_count
    from workloads
    inner join configurations as smaller
        on
            workloads.submission_id = smaller.submission_id
            and workloads.a_configuration_id = smaller.configuration_id
    inner join configurations as larger
        on
            workloads.submission_id = larger.submission_id
            and workloads.b_configuration_id = larger.configuration_id
    where workloads.field_name = 'measurement_area_bytes'

)

select * from final
