with fields as (

    select * from {{ ref('int_fields_listed') }}

),

workloads as (

    select * from {{ ref('int_workloads_rated') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

pairs as (

    select
        a.submission_id,
        a.configuration_id as a_configuration_id,
        b.configuration_id as b_configuration_id,
        a.field_name,
        a.field_value as a_field_value,
        b.field_value as b_field_value,
        a.field_quantity as a_field_quantity,
        b.field_quantity as b_field_quantity,
        a.unknown_field_count
    from fields as a
    inner join fields as b
        on
            a.submission_id = b.submission_id
            and a.field_name = b.field_name
            and a.others_hash = b.others_hash
    where
        case
            when a.field_quantity is not null then a.field_quantity < b.field_quantity
            else a.field_value < b.field_value
        end

),

final as (

    select
        pairs.submission_id,
        pairs.a_configuration_id,
        pairs.b_configuration_id,
        pairs.field_name,
        pairs.a_field_value as a_field,
        pairs.b_field_value as b_field,
        a.section,
        a.workload_id,
        a.load_profile,
        a.block_size_bytes,
        a.load_basis,
        a.basis,
        configurations.device_id,
        configurations.device,
        a.operations_per_second as a_operations_per_second,
        b.operations_per_second as b_operations_per_second,
        b.operations_per_second / a.operations_per_second as effect_ratio,
        case
            when pairs.a_field_quantity > 0
                then
                    round(
                        ln(b.operations_per_second / a.operations_per_second)
                        / ln(pairs.b_field_quantity / pairs.a_field_quantity),
                        12
                    )
        end as elasticity_ratio,
        pairs.unknown_field_count
    from pairs
    inner join workloads as a
        on pairs.submission_id = a.submission_id and pairs.a_configuration_id = a.configuration_id
    inner join workloads as b
        on
            pairs.submission_id = b.submission_id
            and pairs.b_configuration_id = b.configuration_id
            and a.section = b.section
            and a.workload_id = b.workload_id
            and a.load_basis = b.load_basis
            and a.basis = b.basis
    inner join configurations
        on
            pairs.submission_id = configurations.submission_id
            and pairs.a_configuration_id = configurations.configuration_id

)

select * from final
