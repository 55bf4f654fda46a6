-- Tail latency by queue depth: median, p95, p99, p99.9 and p99.99 of each point, and the tail relative to the median.
select device, load_profile, operation, queue_depth, latency_kind,
    max(latency_seconds) filter (where percentile_ratio = 0.5) as median_seconds,
    max(latency_seconds) filter (where percentile_ratio = 0.95) as p95_seconds,
    max(latency_seconds) filter (where percentile_ratio = 0.99) as p99_seconds,
    max(latency_seconds) filter (where percentile_ratio = 0.999) as p999_seconds,
    max(latency_seconds) filter (where percentile_ratio = 0.9999) as p9999_seconds,
    max(latency_seconds) filter (where percentile_ratio = 0.999)
    / max(latency_seconds) filter (where percentile_ratio = 0.5) as tail_ratio,
    bool_and(is_supported) filter (where percentile_ratio = 0.999) as is_p999_supported,
    max(operations_per_second) as operations_per_second, max(run_count) as run_count, section,
    submission_id, configuration_id
from tail_latency
where statistic = 'percentile' and percentile_ratio in (0.5, 0.95, 0.99, 0.999, 0.9999)
group by all
order by load_profile, operation, device, submission_id, configuration_id, section, latency_kind, queue_depth
