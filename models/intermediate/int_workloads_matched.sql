{{ config(materialized='table') }}

with pairs as (

    select * from {{ ref('int_configurations_matched') }}

),

workloads as (

    select * from {{ ref('int_workloads_rated') }}

),

sides as (

    select
        *,
        unnest([a_configuration_id, b_configuration_id]) as configuration_id
    from pairs

),

measured as (

    select
        sides.field_name,
        sides.submission_id,
        sides.a_configuration_id,
        sides.b_configuration_id,
        workloads.section,
        workloads.workload_id,
        workloads.load_basis,
        workloads.basis,
        min(sides.a_field_value) as a_field_value,
        min(sides.b_field_value) as b_field_value,
        min(sides.a_field_quantity) as a_field_quantity,
        min(sides.b_field_quantity) as b_field_quantity,
        min(sides.changed_fields) as changed_fields,
        min(sides.unknown_field_count) as unknown_field_count,
        min(workloads.load_profile) as load_profile,
        min(workloads.access_pattern) as access_pattern,
        min(workloads.read_ratio) as read_ratio,
        min(workloads.block_size_bytes) as block_size_bytes,
        min(workloads.operations_per_second) filter (where sides.configuration_id = sides.a_configuration_id)
            as a_operations_per_second,
        min(workloads.operations_per_second) filter (where sides.configuration_id = sides.b_configuration_id)
            as b_operations_per_second
    from sides
    inner join workloads
        on sides.submission_id = workloads.submission_id and sides.configuration_id = workloads.configuration_id
    group by
        sides.field_name,
        sides.submission_id,
        sides.a_configuration_id,
        sides.b_configuration_id,
        workloads.section,
        workloads.workload_id,
        workloads.load_basis,
        workloads.basis

),

divided as (

    select
        *,
        b_operations_per_second / a_operations_per_second as effect_ratio
    from measured

),

final as (

    select *
    from divided
    qualify
        effect_ratio is not null
        or count(effect_ratio) over (
            partition by field_name, submission_id, a_configuration_id, b_configuration_id
        ) = 0

)

select * from final
