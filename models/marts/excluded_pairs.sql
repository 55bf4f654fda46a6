with operands as (

    select * from {{ ref('int_operands_graded') }}

),

final as (

    select
        workload_id,
        load_profile,
        metric,
        basis,
        a_submission_id,
        a_configuration_id,
        a_section,
        a_device,
        b_submission_id,
        b_configuration_id,
        b_section,
        b_device,
        a_value,
        b_value,
        comparability_reasons,
        comparability_waivers
    from operands
    where
        comparability_grade = 'X'
        and (a_submission_id, a_configuration_id, a_section) < (b_submission_id, b_configuration_id, b_section)

)

select * from final
