-- How sure a quotient is where both sides were measured three times or more. Every pair stands once: A is ahead.
select
    load_profile, metric, basis, a_submission_id, a_configuration_id, a_device, b_submission_id, b_configuration_id,
    b_device, quotient_ratio, low_ratio, high_ratio, verdict, a_repetition_count, b_repetition_count,
    comparability_grade, comparability_reasons
from quotients
where verdict_basis = 'measured'
    and (quotient_ratio, b_submission_id, b_configuration_id, b_section) > (1, a_submission_id, a_configuration_id, a_section)
order by
    load_profile, metric, basis, a_device, b_device, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id,
    workload_id
