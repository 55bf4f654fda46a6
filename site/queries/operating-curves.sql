-- IOPS and latency by queue depth: IOPS, throughput and mean latency of each point, by device, workload and process count, with caveats.
with checked as (
    select submission_id, configuration_id, section, workload_id, queue_depth,
        bool_or(effect = 'X' and metric is null) as is_excluded,
        string_agg(distinct verdict, '; ' order by verdict) as verdicts
    from validity_checks
    where effect is not null and metric is distinct from 'latency_percentile_seconds' and queue_depth is not null
    group by submission_id, configuration_id, section, workload_id, queue_depth
)
select points.device, points.media_class, points.load_profile, points.process_count, points.engine, points.queue_depth,
    points.operations_per_second, points.throughput_bytes_per_second, points.latency_mean_seconds, points.latency_kind,
    points.operations_per_second / max(points.operations_per_second) over curve as share_of_peak_ratio,
    -- a step that another one of the curve passes in rate, and is quicker, brings nothing
    points.latency_mean_seconds > min(points.latency_mean_seconds) over (
        curve
        order by points.operations_per_second desc, points.latency_mean_seconds, points.queue_depth
        rows between unbounded preceding and current row
    ) as is_beaten,
    coalesce(checked.is_excluded, false) as is_excluded, checked.verdicts, points.repetition_count, points.drive_count,
    points.storage_topology, points.section, points.submission_id, points.configuration_id, points.point_id
from points
left join checked using (submission_id, configuration_id, section, workload_id, queue_depth)
where points.operations_per_second is not null and points.latency_mean_seconds is not null
window curve as (
    partition by points.submission_id, points.configuration_id, points.section, points.workload_id, points.load_basis
)
order by points.load_profile, points.device, points.submission_id, points.configuration_id, points.section, points.queue_depth
