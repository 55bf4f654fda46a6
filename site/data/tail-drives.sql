-- Percentiles of each drive at queue depth 1, for the setup in drive_figures. A percentile needs ten operations above it.
with shown as (
    select device_id, workload_id, load_profile,
        coalesce(
            max(number_id) filter (where metric = 'latency_p999_seconds'), max(number_id) filter (where metric = 'latency_mean_seconds')
        ) as point_id
    from drive_figures
    where figure = 'queue depth 1' and len(exclusions) = 0
    group by device_id, workload_id, load_profile
)

select
    shown.load_profile, devices.device_id, devices.short_name, devices.media_class, devices.interface_protocol,
    shown.point_id, points.submission_id, max(tails.operation_count) as operation_count,
    max(tails.latency_seconds) filter (where percentile_ratio = 0.5) as p50_seconds,
    max(tails.latency_seconds) filter (where percentile_ratio = 0.99) as p99_seconds,
    max(tails.latency_seconds) filter (where percentile_ratio = 0.999) as p999_seconds,
    max(tails.latency_seconds) filter (where percentile_ratio = 0.9999) as p9999_seconds
from shown
inner join points using (point_id)
inner join workloads on points.workload_id = workloads.workload_id
inner join devices on shown.device_id = devices.device_id
inner join tail_latency as tails
    on (points.submission_id, points.configuration_id, points.section, points.workload_id, points.load_basis, points.queue_depth)
    = (tails.submission_id, tails.configuration_id, tails.section, tails.workload_id, tails.load_basis, tails.queue_depth)
where if(workloads.read_ratio > 0, 'read', 'write') = tails.operation and is_supported and percentile_ratio in (0.5, 0.99, 0.999, 0.9999) and devices.media_class not in ('virtual', 'other')
group by all
order by shown.load_profile, p999_seconds nulls last, p99_seconds, devices.device_id
