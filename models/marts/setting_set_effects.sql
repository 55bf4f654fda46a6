with workloads as (

    select * from {{ ref('int_workloads_matched') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

final as (

    select
        workloads.submission_id,
        workloads.a_configuration_id as base_configuration_id,
        workloads.b_configuration_id as changed_configuration_id,
        workloads.a_field_value as base_setting_set,
        workloads.b_field_value as changed_setting_set,
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
        workloads.a_operations_per_second as base_operations_per_second,
        workloads.b_operations_per_second as changed_operations_per_second,
        workloads.effect_ratio,
        greatest(workloads.a_operations_per_second, workloads.b_operations_per_second) > 120000
        and workloads.block_size_bytes <= 8192 as is_processor_relevant,
        workloads.unknown_field_count
    from workloads
    inner join configurations
        on
            workloads.submission_id = configurations.submission_id
            and workloads.a_configuration_id = configurations.configuration_id
    where workloads.field_name = 'setting_set'

)

select * from final
