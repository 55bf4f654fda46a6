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
    select
        load_profile, device_id, submission_id, configuration_id, one.media_class, one.latency_mean_seconds,
        one.latency_mean_seconds_low as latency_low_seconds, one.latency_mean_seconds_high as latency_high_seconds,
        one.latency_kind, deep.operations_per_second, deep.operations_per_second_low as low_per_second,
        deep.operations_per_second_high as high_per_second, one.point_id, deep.point_id as deep_point_id,
        one.reservations, one.exclusions, deep.reservations as deep_reservations, deep.exclusions as deep_exclusions,
        greatest(one.run_count, deep.run_count) as run_count, greatest(one.engine, deep.engine) as engine,
        count(distinct configuration_id) over (partition by load_profile, device_id) as set_count
    from (from steps where queue_depth = 1 and latency_mean_seconds is not null) as one
    left join (from steps where queue_depth = 32) as deep
        using (load_profile, device_id, submission_id, configuration_id, section, workload_id)
    qualify count(*) over (partition by load_profile, device_id, submission_id, configuration_id, section, workload_id) = 1
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
