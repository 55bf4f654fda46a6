-- Intervals of ratios: ratios where both sides have three runs or more. Every pair is listed once; A is the faster side.
select
    load_profile, metric, queue_depth, a_submission_id, a_configuration_id, a_device, b_submission_id, b_configuration_id,
    b_device, ratio, ratio_low, ratio_high, verdict, reason, a_run_count, b_run_count, a_session_count, b_session_count
from quotients
where verdict is not null and ratio is not null
    and (ratio, b_submission_id, b_configuration_id, b_section) > (1, a_submission_id, a_configuration_id, a_section)
order by
    load_profile, metric, queue_depth nulls first, a_device, b_device, a_submission_id, a_configuration_id, b_submission_id,
    b_configuration_id, workload_id
