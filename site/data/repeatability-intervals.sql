-- How sure a quotient is where both sides were measured three times or more. Every pair stands once: A is ahead.
select
    intervals.load_profile, intervals.metric, intervals.basis, intervals.a_submission_id, intervals.a_configuration_id,
    intervals.a_device, intervals.b_submission_id, intervals.b_configuration_id, intervals.b_device,
    intervals.geomean_ratio, intervals.interval_low_ratio, intervals.interval_high_ratio, intervals.verdict,
    intervals.a_repetition_count, intervals.b_repetition_count, intervals.comparability_grade,
    intervals.comparability_reasons, intervals.comparability_waivers
from quotient_intervals as intervals
where intervals.interval_low_ratio is not null and intervals.geomean_ratio >= 1
order by intervals.load_profile, intervals.metric, intervals.basis, intervals.a_device, intervals.b_device
