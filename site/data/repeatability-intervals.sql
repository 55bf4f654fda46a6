-- How sure a quotient is where both sides were measured three times or more. Every pair stands once: A is ahead.
select
    intervals.load_profile, intervals.metric, intervals.basis, intervals.a_submission_id, intervals.a_configuration_id,
    intervals.a_device, intervals.b_submission_id, intervals.b_configuration_id, intervals.b_device,
    intervals.geomean_ratio, intervals.interval_low_ratio, intervals.interval_high_ratio, intervals.verdict,
    intervals.a_repetition_count, intervals.b_repetition_count, intervals.comparability_grade,
    quotients.comparability_reasons
from quotient_intervals as intervals
inner join quotients using (
    load_profile_id, metric, basis, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
    b_section
)
where intervals.geomean_ratio >= 1
order by intervals.load_profile, intervals.metric, intervals.basis, intervals.a_device, intervals.b_device
