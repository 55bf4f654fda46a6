with workloads as (

    select * from {{ ref('int_workloads_matched') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

final as (

    select
        workloads.submission_id,
        workloads.a_configuration_id as slower_configuration_id,
        workloads.b_configuration_id as faster_configuration_id,
        workloads.a_field_quantity as slower_clock_hertz,
        workloads.b_field_quantity as faster_clock_hertz,
        workloads.changed_fields,
        workloads.section,
        workloads.workload_id,
        workloads.load_profile,
        workloads.access_pattern,
        workloads.read_ratio,
        workloads.block_size_bytes,
        workloads.load_basis,
        workloads.basis,
        configurations.device_id,
        configurations.device,
        workloads.a_operations_per_second as slower_operations_per_second,
        workloads.b_operations_per_second as faster_operations_per_second,
        workloads.effect_ratio,
        round(
            ln(workloads.effect_ratio) / ln(workloads.b_field_quantity / nullif(workloads.a_field_quantity, 0)), 12
        ) as elasticity_ratio,
        greatest(workloads.a_operations_per_second, workloads.b_operations_per_second) > 120000
        and workloads.block_size_bytes <= 8192 as is_processor_relevant,
        workloads.unknown_field_count
    from workloads
    inner join configurations
        on
            workloads.submission_id = configurations.submission_id
            and workloads.a_configuration_id = configurations.configuration_id
    where workloads.field_name = 'cpu_nominal_hertz'

)

select * from final
