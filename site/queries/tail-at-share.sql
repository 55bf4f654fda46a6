-- p99.9 at 70 % of the peak: the point of each sweep whose IOPS are nearest to that share (share_of_peak_ratio), if possible before the sweep is
-- overloaded, where a point of lower latency has more IOPS.
select device, load_profile, operation, latency_seconds, latency_kind, share_of_peak_ratio, operations_per_second,
    queue_depth, run_count, is_supported, is_efficient, submission_id, configuration_id
from tail_latency
where statistic = 'percentile' and percentile_ratio = 0.999
qualify row_number() over (
    partition by submission_id, configuration_id, section, workload_id, load_basis, operation, latency_kind
    order by coalesce(is_efficient, false) desc, abs(ln(share_of_peak_ratio / 0.7)), queue_depth
) = 1
order by load_profile, operation, latency_seconds, submission_id, configuration_id, section
