-- q(A, B) times q(B, C) is q(A, C) to 1e-12, wherever all three exist. The other orders are inverses, and a mean over
-- low depths is over those that its own two sides share.
with quotients as (

    select * from {{ ref('quotients') }}
    where
        basis <> 'low_depth'
        and (a_submission_id, a_configuration_id, a_section) < (b_submission_id, b_configuration_id, b_section)

)

select
    first_step.workload_id,
    first_step.metric,
    first_step.basis,
    first_step.a_configuration_id,
    first_step.b_configuration_id,
    second_step.b_configuration_id as c_configuration_id
from quotients as first_step
inner join quotients as second_step
    on
        first_step.workload_id = second_step.workload_id
        and first_step.metric = second_step.metric
        and first_step.basis = second_step.basis
        and first_step.b_submission_id = second_step.a_submission_id
        and first_step.b_configuration_id = second_step.a_configuration_id
        and first_step.b_section = second_step.a_section
inner join quotients as both_steps
    on
        first_step.workload_id = both_steps.workload_id
        and first_step.metric = both_steps.metric
        and first_step.basis = both_steps.basis
        and first_step.a_submission_id = both_steps.a_submission_id
        and first_step.a_configuration_id = both_steps.a_configuration_id
        and first_step.a_section = both_steps.a_section
        and second_step.b_submission_id = both_steps.b_submission_id
        and second_step.b_configuration_id = both_steps.b_configuration_id
        and second_step.b_section = both_steps.b_section
where abs(first_step.quotient_ratio * second_step.quotient_ratio / both_steps.quotient_ratio - 1) > 1e-12
