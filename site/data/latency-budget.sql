-- The largest measured rate that keeps a mean latency.
select
    submission_id, configuration_id, section, load_profile, device, latency_objective_seconds, latency_kind,
    queue_depth, operations_per_second, latency_mean_seconds, is_at_last_depth
from rates_at_latency
order by load_profile, submission_id, configuration_id, section, latency_objective_seconds
