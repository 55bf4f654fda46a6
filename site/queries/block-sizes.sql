-- Block size by operation: highest IOPS and throughput of one drive at each block size, with the queue depth, by access pattern and operation.
with checked as (
    select submission_id, configuration_id, section, workload_id, queue_depth,
        bool_or(effect = 'X' and metric is null) as is_excluded,
        string_agg(distinct verdict, '; ' order by verdict) as verdicts
    from validity_checks
    where effect is not null and metric is distinct from 'latency_percentile_seconds' and queue_depth is not null
    group by submission_id, configuration_id, section, workload_id, queue_depth
)
select points.device, points.media_class, workloads.access_pattern,
    case workloads.read_ratio when 1 then 'read' when 0 then 'write' else 'mixed' end as operation,
    workloads.read_ratio, workloads.block_size_bytes,
    max(points.operations_per_second) as operations_per_second,
    max(points.throughput_bytes_per_second) as throughput_bytes_per_second,
    arg_max(points.queue_depth, points.throughput_bytes_per_second) as queue_depth,
    min(points.latency_mean_seconds) as lowest_latency_seconds,
    count(*) as step_count, string_agg(distinct checked.verdicts, '; ' order by checked.verdicts) as verdicts, workloads.load_profile, points.submission_id, points.configuration_id
from points
inner join workloads using (workload_id)
left join checked using (submission_id, configuration_id, section, workload_id, queue_depth)
where points.storage_topology = 'single' and points.device is not null and points.throughput_bytes_per_second is not null
    and checked.is_excluded is not true
    and workloads.block_size_bytes is not null and workloads.access_pattern in ('random', 'sequential')
group by all
order by points.device, workloads.access_pattern, workloads.read_ratio desc, workloads.block_size_bytes, workloads.load_profile,
    points.submission_id, points.configuration_id
