-- Percentiles of the latency on one drive by queue depth: median, smallest and largest over the repetitions of a configuration. A percentile is never
-- averaged; the repetitions are shown as they are. One with fewer than ten slower operations is left out.
select
    results.workload_id, results.load_profile, results.submission_id, results.configuration_id, results.section, results.device,
    results.media_class, results.operation, results.queue_depth, latency_percentiles.percentile_ratio,
    median(latency_percentiles.latency_seconds) as latency_seconds,
    min(latency_percentiles.latency_seconds) as latency_min_seconds,
    max(latency_percentiles.latency_seconds) as latency_max_seconds,
    count(*) as repetition_count
from latency_percentiles
inner join results using (result_id)
anti join (select result_id, try_cast(subject as double) as percentile_ratio from validity_checks where check_name = 'percentile support') as unsupported
    using (result_id, percentile_ratio)
where results.is_comparable and results.queue_depth is not null and results.operation in ('read', 'write')
    and results.storage_topology = 'single' and results.device is not null
    and latency_percentiles.latency_kind = 'completion'
    and latency_percentiles.percentile_ratio in (0.5, 0.99, 0.999)
group by all
order by load_profile, device, submission_id, configuration_id, section, operation, percentile_ratio, queue_depth, workload_id
