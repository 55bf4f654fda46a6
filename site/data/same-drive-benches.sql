-- One drive on several test benches: mean latency at queue depth 1 and IOPS at 32, one process, by set of runs, for every
-- drive with more than one set; for scale, every other drive of the same medium with the same workload.
with loads as (
    -- without fio's map of blocks an address may come twice: the same load to a drive
    select workload_id, replace(load_profile, ', norandommap=true', '') as load_profile
    from workloads
    where is_complete and coalesce(load_options, '{"norandommap":true}') = '{"norandommap":true}' and stream_count is null
),

steps as (
    select points.* replace (loads.load_profile as load_profile)
    from points
    inner join loads using (workload_id)
    where storage_topology = 'single' and load_basis = 'outstanding' and device_id is not null and media_class <> 'virtual'
        and coalesce(process_count, 1) = 1 and queue_depth in (1, 32)
        and tool <> 'published'
        and not regexp_matches(coalesce(array_to_string(exclusions, '; '), ''), 'profiler|emulated|not reached|failed|short run')
),

sets as (
    select load_profile, device_id, submission_id, configuration_id, any_value(media_class) as media_class,
        max(latency_mean_seconds) filter (where queue_depth = 1) as latency_mean_seconds,
        max(latency_mean_seconds_low) filter (where queue_depth = 1) as latency_low_seconds,
        max(latency_mean_seconds_high) filter (where queue_depth = 1) as latency_high_seconds,
        max(latency_kind) filter (where queue_depth = 1) as latency_kind,
        max(operations_per_second) filter (where queue_depth = 32) as operations_per_second,
        max(operations_per_second_low) filter (where queue_depth = 32) as low_per_second,
        max(operations_per_second_high) filter (where queue_depth = 32) as high_per_second,
        max(point_id) filter (where queue_depth = 1) as point_id, max(point_id) filter (where queue_depth = 32) as deep_point_id,
        max(reservations) filter (where queue_depth = 1) as reservations,
        max(exclusions) filter (where queue_depth = 1) as exclusions,
        max(reservations) filter (where queue_depth = 32) as deep_reservations,
        max(exclusions) filter (where queue_depth = 32) as deep_exclusions, max(run_count) as run_count,
        max(engine) as engine, count(distinct configuration_id) over (partition by load_profile, device_id) as set_count
    from steps
    group by load_profile, device_id, submission_id, configuration_id, section, workload_id
    having count(*) filter (where queue_depth = 1) = 1 and count(*) filter (where queue_depth = 32) <= 1
        and max(latency_mean_seconds) filter (where queue_depth = 1) is not null
)

select
    load_profile, device_id, devices.short_name, devices.device, sets.media_class, set_count, latency_mean_seconds,
    latency_low_seconds, latency_high_seconds, operations_per_second, low_per_second, high_per_second, point_id, deep_point_id,
    reservations, exclusions, deep_reservations, deep_exclusions, sets.run_count, bench_key, title, system_model,
    controller_model, io_scheduler, kernel, drive_firmware, run_time_seconds, sets.engine, submission_id, configuration_id
from sets
inner join devices using (device_id)
inner join configurations using (submission_id, configuration_id, device_id)
where (load_profile, sets.media_class) in (select (load_profile, media_class) from sets where set_count > 1)
order by load_profile, sets.media_class, device_id, latency_mean_seconds, submission_id, configuration_id
