-- The largest measured rate that keeps a mean latency. Between two depths a rate is interpolated in a column of its own.
select
    rates.workload_id, rates.submission_id, rates.configuration_id, rates.section, rates.load_profile, rates.device,
    rates.latency_objective_seconds, rates.latency_kind, rates.queue_depth, rates.operations_per_second,
    rates.throughput_bytes_per_second, rates.latency_mean_seconds, rates.is_at_last_depth,
    rates.interpolated_operations_per_second, configurations.conditions
from rates_at_latency as rates
inner join configurations using (submission_id, configuration_id)
order by
    rates.load_profile, rates.submission_id, rates.configuration_id, rates.section, rates.load_basis,
    rates.latency_objective_seconds
