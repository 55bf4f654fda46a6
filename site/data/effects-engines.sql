-- What the I/O engine alone changes: one drive, workload and test bench at queue depth 1 and one process, under three engines or
-- more. The slowest is the base of the ratio; single runs have no verdict.
with measured as (
    select points.submission_id, points.configuration_id, points.device_id, points.load_profile, points.engine,
        points.operations_per_second, points.latency_mean_seconds, points.run_count, points.reservations, points.value_kind,
        points.point_id, configurations.conditions,
        count(distinct points.engine) over bench as engine_count, min(points.operations_per_second) over bench as slowest
    from points
    inner join configurations using (submission_id, configuration_id)
    where points.queue_depth = 1 and points.load_basis = 'outstanding' and points.storage_topology = 'single' and len(points.exclusions) = 0
        and coalesce(points.process_count, 1) = 1 and not list_contains(points.reservations, 'measured under a profiler')
        and points.operations_per_second is not null
    window bench as (
        partition by points.submission_id, points.device_id, points.workload_id, configurations.bench_key, points.section
    )
)

select measured.submission_id, measured.configuration_id, measured.device_id, devices.short_name, devices.media_class,
    measured.load_profile, measured.engine,
    -- the engine as the conditions name it, with how it waits: "io_uring with completion polling (hipri)"
    coalesce(nullif(regexp_extract(measured.conditions, '(?i)' || measured.engine || '[^,]*'), ''), measured.engine) as engine_name,
    measured.operations_per_second, measured.latency_mean_seconds, measured.run_count, measured.reservations, measured.value_kind,
    measured.operations_per_second / measured.slowest as ratio, measured.point_id
from measured
inner join devices using (device_id)
where engine_count >= 3
order by measured.submission_id, measured.device_id, measured.load_profile, measured.operations_per_second desc, measured.point_id
