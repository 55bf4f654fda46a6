-- Every pair stands in both directions, q(A, B) times q(B, A) is 1 to 1e-12, and where only an end is known, the other
-- direction has its inverse.
select
    there.workload_id,
    there.metric,
    there.basis,
    there.a_configuration_id,
    there.b_configuration_id
from {{ ref('quotients') }} as there
left join {{ ref('quotients') }} as back
    on
        there.workload_id = back.workload_id
        and there.metric = back.metric
        and there.basis = back.basis
        and there.a_submission_id = back.b_submission_id
        and there.a_configuration_id = back.b_configuration_id
        and there.a_section = back.b_section
        and there.b_submission_id = back.a_submission_id
        and there.b_configuration_id = back.a_configuration_id
        and there.b_section = back.a_section
where
    back.workload_id is null
    or (there.quotient_ratio is null) <> (back.quotient_ratio is null)
    or abs(there.quotient_ratio * back.quotient_ratio - 1) > 1e-12
    or abs(there.low_ratio * back.high_ratio - 1) > 1e-9
