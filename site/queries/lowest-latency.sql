-- Lowest 4 KiB read latency: lowest mean latency of random reads at one outstanding I/O, by medium, without values that failed a check.
select points.media_class, points.device, points.latency_mean_seconds, points.latency_kind, points.load_profile,
    points.operations_per_second, points.run_count, points.reservations, points.submission_id, points.configuration_id
from points
inner join workloads using (workload_id)
where points.load_basis = 'outstanding' and points.queue_depth = 1 and points.latency_mean_seconds is not null
    and workloads.block_size_bytes = 4096 and workloads.read_ratio = 1
    and workloads.access_pattern = 'random' and len(points.exclusions) = 0
qualify row_number() over (
    partition by points.media_class
    order by points.latency_mean_seconds, points.submission_id, points.configuration_id, points.section, points.workload_id
) = 1
order by points.latency_mean_seconds
