-- IOPS of 4 KiB writes with a sync after each: with one write at a time, and the highest over all numbers of jobs.
with points_synced as (
    select
        points.point_id, points.submission_id, points.configuration_id, points.device_id, points.media_class,
        points.queue_depth, points.operations_per_second, points.reservations, points.exclusions, points.value_kind,
        points.run_count, configurations.title, workloads.sync_interval, drives.write_cache,
        drives.interface_protocol
    from points
    inner join workloads using (workload_id)
    inner join configurations using (submission_id, configuration_id)
    inner join drives
        on
            points.submission_id = drives.submission_id and points.configuration_id = drives.configuration_id
            and drives.role = 'data'
    where
        workloads.sync_interval in ('fsync 1', 'fdatasync 1', 'sync', 'dsync')
        and workloads.read_ratio = 0 and workloads.block_size_bytes = 4096
        and points.operations_per_second is not null and points.drive_count = 1
)

select
    points_synced.submission_id, points_synced.configuration_id, points_synced.device_id, devices.device,
    devices.short_name, points_synced.media_class, points_synced.title, points_synced.write_cache,
    points_synced.interface_protocol, points_synced.sync_interval,
    arg_min(points_synced.point_id, points_synced.queue_depth) filter (where points_synced.queue_depth = 1) as one_point_id,
    arg_min(points_synced.operations_per_second, points_synced.queue_depth)
    filter (where points_synced.queue_depth = 1) as one_value,
    arg_max(points_synced.point_id, points_synced.operations_per_second) as best_point_id,
    max(points_synced.operations_per_second) as best_value,
    arg_max(points_synced.queue_depth, points_synced.operations_per_second) as best_jobs,
    max(points_synced.run_count) as run_count
from points_synced
inner join devices using (device_id)
group by all
order by one_value desc nulls last, best_value desc, points_synced.configuration_id
