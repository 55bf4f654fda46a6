-- IOPS of 4 KiB writes with a sync after each: with one write at a time, and the highest over all numbers of jobs.
with synced as (
    select
        point_id, submission_id, configuration_id, points.device_id, points.media_class, points.queue_depth,
        operations_per_second, points.run_count, title, sync_interval, write_cache, drives.interface_protocol
    from points
    inner join workloads using (workload_id)
    inner join configurations using (submission_id, configuration_id)
    inner join drives using (submission_id, configuration_id)
    where sync_interval in ('fsync 1', 'fdatasync 1', 'sync', 'dsync') and drives.role = 'data' and read_ratio = 0
        and block_size_bytes = 4096 and operations_per_second is not null and points.drive_count = 1
)

select
    submission_id, configuration_id, device_id, devices.device, devices.short_name, synced.media_class, title, write_cache,
    synced.interface_protocol, sync_interval, any_value(point_id) filter (where queue_depth = 1) as one_point_id,
    any_value(operations_per_second) filter (where queue_depth = 1) as one_value,
    arg_max(point_id, operations_per_second) as best_point_id, max(operations_per_second) as best_value,
    arg_max(queue_depth, operations_per_second) as best_jobs, max(run_count) as run_count
from synced
inner join devices using (device_id)
group by all
order by one_value desc nulls last, best_value desc, configuration_id
