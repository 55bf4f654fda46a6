-- Comparisons with a side that is limited by the load generator: the processor of the load generator was the bottleneck, so the value is a lower bound.
select load_profile, metric, queue_depth, a_device, b_device, ratio, ratio_low, ratio_high, verdict, reason,
    a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
from quotients
where is_generator_bound
order by load_profile, metric, queue_depth, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id,
    comparison_id
