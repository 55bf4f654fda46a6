-- Quotients that rest on a generator-bound run: the processor that made the load was the limit, so the rate is a lower bound.
select load_profile, metric, basis, a_device, b_device, quotient_display_text, low_ratio, high_ratio, verdict,
    comparability_grade, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
from quotients
where is_generator_bound
order by load_profile, metric, basis, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
