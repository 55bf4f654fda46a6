-- Tail latency at queue depth 64 by controller: of the points of one drive with 4 KiB random reads, the number with a p99.9
-- above 20 ms.
select
    coalesce(configurations.controller_model, 'not stated') as controller, count(*) as point_count,
    count(*) filter (where tails.latency_seconds > 0.02) as slow_count, count(distinct points.device_id) as device_count,
    min(tails.latency_seconds) as low_seconds, max(tails.latency_seconds) as high_seconds
from points
inner join configurations using (submission_id, configuration_id)
inner join tail_latency as tails using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
where points.load_profile = '4 KiB random read' and points.queue_depth = 64 and points.storage_topology = 'single'
    and tails.percentile_ratio = 0.999 and tails.operation = 'read' and tails.is_supported
    and configurations.media_class = 'ssd_sata'
group by all
order by slow_count / point_count desc, point_count desc, controller
