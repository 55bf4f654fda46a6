-- IOPS, mean latency and p99.9 by queue depth, one sweep per drive and workload: the fewest processes, without exclusions,
-- preferably through the kernel, then on the test bench that most drives share; and the sweep past the kernel where it reaches
-- a higher rate. With the knee.
with loads as (
    -- without fio's map of blocks an address may come twice: the same load to a drive
    select workload_id, replace(load_profile, ', norandommap=true', '') as load_profile
    from workloads
    where is_complete and coalesce(load_options, '{"norandommap":true}') = '{"norandommap":true}' and stream_count is null
),

steps as (
    select points.* exclude (load_profile), loads.load_profile, configurations.bench_key, configurations.controller_model,
        configurations.run_time_seconds
    from points
    inner join loads using (workload_id)
    inner join configurations using (submission_id, configuration_id)
    where points.storage_topology = 'single' and points.load_basis = 'outstanding' and points.device_id is not null
        and operations_per_second is not null and latency_mean_seconds is not null and points.media_class <> 'other'
        and not regexp_matches(coalesce(array_to_string(points.exclusions, '; '), ''), 'profiler|emulated|not reached|failed|short run')
),

sweeps as (
    select load_profile, device_id, submission_id, configuration_id, section, workload_id, process_count,
        any_value(media_class) as media_class, any_value(bench_key) as bench_key, any_value(controller_model) as controller_model,
        count(distinct queue_depth) as depth_count, count(*) filter (where len(exclusions) > 0) as excluded_count, min(queue_depth) as lowest,
        sum(len(reservations)) as reservation_count, bool_or(engine = 'spdk') as is_beside_kernel,
        max(operations_per_second) as highest
    from steps
    group by load_profile, device_id, submission_id, configuration_id, section, workload_id, process_count
    having count(distinct queue_depth) >= 4
),

shared as (
    select *,
        count(distinct device_id) filter (where excluded_count = 0) over (
            partition by load_profile, media_class, coalesce(bench_key, submission_id), controller_model
        ) as shared_count
    from sweeps
),

ordered as (
    select *,
        first_value(highest) over (
            partition by load_profile, device_id
            order by coalesce(process_count, 1), excluded_count, coalesce(is_beside_kernel, false), lowest,
                shared_count desc, reservation_count, highest desc, submission_id, configuration_id, section
        ) as usual_highest
    from shared
),

chosen as (
    select *
    from ordered
    where not coalesce(is_beside_kernel, false) or highest >= usual_highest
    qualify row_number() over (
        partition by load_profile, device_id, coalesce(is_beside_kernel, false)
        order by coalesce(process_count, 1), excluded_count, lowest, shared_count desc, reservation_count, highest desc,
            submission_id, configuration_id, section
    ) = 1
),

tails as (
    select submission_id, configuration_id, section, workload_id, load_basis, queue_depth, max(latency_seconds) as p999_seconds
    from tail_latency
    where percentile_ratio = 0.999 and is_supported
    group by all
)

select steps.load_profile, steps.device_id, devices.short_name, devices.device, steps.media_class, steps.bench_key,
    devices.interface_protocol, if(chosen.is_beside_kernel, steps.engine, null) as engine, steps.run_time_seconds, steps.process_count, steps.queue_depth,
    -- more digits than any page shows, and a page of few bytes
    cast(format('{:.5g}', steps.operations_per_second) as double) as operations_per_second,
    -- of a single run that something held back the low end is the rate itself
    round(nullif(steps.operations_per_second_low, steps.operations_per_second), 2) as low_per_second,
    round(steps.operations_per_second_high, 2) as high_per_second,
    cast(format('{:.5g}', steps.latency_mean_seconds) as double) as latency_mean_seconds, steps.latency_kind,
    cast(format('{:.5g}', tails.p999_seconds) as double) as p999_seconds, steps.run_count, steps.value_kind, steps.reservations,
    steps.exclusions, steps.submission_id, steps.configuration_id, steps.point_id,
    peaks.queue_depth_before, peaks.queue_depth_knee
from steps
inner join chosen using (load_profile, device_id, submission_id, configuration_id, section, workload_id)
inner join devices using (device_id)
left join tails using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
left join peaks
    on
        (steps.submission_id, steps.configuration_id, steps.section, steps.workload_id, steps.load_basis)
        = (peaks.submission_id, peaks.configuration_id, peaks.section, peaks.workload_id, peaks.load_basis)
        and peaks.metric = 'operations_per_second' and peaks.process_count is not distinct from steps.process_count
where steps.process_count is not distinct from chosen.process_count and load_profile in (
    select load_profile from chosen group by load_profile having count(distinct media_class) >= 2
)
order by steps.load_profile, steps.media_class, steps.device_id, steps.queue_depth, steps.point_id
