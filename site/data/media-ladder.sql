-- The ladder: of each drive the rate at queue depth 1 and at its peak, per load, all processes together; one bench per drive,
-- through the kernel where there is
-- a choice, then with the fewest reservations, then that on which most drives of its medium were measured. What is probably not read from the medium stays, marked; what was
-- measured under a profiler or is one of several processes does not count.
with loads as (
    -- without fio's map of blocks an address may come twice: the same load to a drive
    select workload_id, replace(load_profile, ', norandommap=true', '') as load_profile
    from workloads
    where is_complete and stream_count is null and coalesce(load_options, '{"norandommap":true}') = '{"norandommap":true}'
),

common as (
    select loads.load_profile
    from loads
    inner join peaks using (workload_id)
    where storage_topology = 'single'
    group by loads.load_profile
    having count(distinct media_class) >= 3
),

counted as (
    select *, unnest(string_split(exclusions, '; ')) as exclusion
    from points
    where exclusions is not null
),

unusable as (
    select distinct point_id
    from counted
    where exclusion not in ('area not written before', 'drive nearly empty', 'served by a cache')
),

single as (
    select *
    from points
    where storage_topology = 'single' and load_basis = 'outstanding' and device_id is not null
        and point_id not in (select point_id from unusable)
),

lowest as (
    select submission_id, configuration_id, loads.load_profile, point_id, operations_per_second, operations_low_per_second,
        operations_high_per_second, latency_mean_seconds, single.value_kind, repetition_count, reservations, exclusions, device_id
    from single
    inner join loads using (workload_id)
    where queue_depth = 1 and (operations_per_second is not null or latency_mean_seconds is not null)
    qualify row_number() over (
        partition by submission_id, configuration_id, loads.load_profile
        order by operations_per_second desc nulls last, point_id
    ) = 1
),

highest as (
    select peaks.submission_id, peaks.configuration_id, loads.load_profile, peak_id, peak_value, low, high, peaks.value_kind,
        peaks.queue_depth, queue_depths, is_peak_at_edge, peaks.repetition_count, single.reservations,
        single.exclusions, peaks.device_id, coalesce(peaks.process_count, single.process_count) as process_count, peaks.engine
    from peaks
    inner join loads using (workload_id)
    left join single using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
    where peaks.storage_topology = 'single' and metric = 'operations_per_second' and peaks.load_basis = 'outstanding'
        and peaks.device_id is not null and coalesce(queue_depth_high, 2) > 1
        -- a stated peak has no depth; a computed one stands on a point
        and (peaks.queue_depth is null or single.point_id is not null)
    qualify row_number() over (
        partition by peaks.submission_id, peaks.configuration_id, loads.load_profile
        order by single.exclusions is not null, peak_value desc, peak_id
    ) = 1
),

pairs as (
    select submission_id, configuration_id, load_profile, coalesce(lowest.device_id, highest.device_id) as device_id,
        lowest.point_id, lowest.operations_per_second, lowest.operations_low_per_second as low_per_second,
        lowest.operations_high_per_second as high_per_second, lowest.latency_mean_seconds, lowest.value_kind,
        lowest.repetition_count, lowest.reservations, lowest.exclusions, highest.peak_id, highest.peak_value,
        highest.low as peak_low, highest.high as peak_high, highest.value_kind as peak_kind, highest.queue_depth as peak_depth,
        highest.process_count as peak_process_count, highest.is_peak_at_edge, highest.repetition_count as peak_count,
        highest.reservations as peak_reservations, highest.exclusions as peak_exclusions,
        coalesce(highest.engine <> 'spdk', true) as is_through_kernel
    from lowest
    full join highest using (submission_id, configuration_id, load_profile)
    where load_profile in (select load_profile from common)
),

benches as (
    select pairs.*, configurations.bench_key, configurations.conditions, configurations.media_class, submissions.source_type,
        count(distinct pairs.device_id) filter (where exclusions is null and peak_exclusions is null) over (
            partition by pairs.load_profile, configurations.media_class, coalesce(bench_key, pairs.submission_id), controller_model
        ) as shared_count
    from pairs
    inner join configurations using (submission_id, configuration_id)
    inner join submissions using (submission_id)
    where submissions.status in ('active', 'disputed')
), ladder as (
select 'measured' as origin, benches.load_profile, devices.device_id, devices.device, devices.media_class, source_type, conditions, bench_key,
    submission_id, configuration_id, point_id, operations_per_second, low_per_second, high_per_second,
    latency_mean_seconds, value_kind, repetition_count, reservations, exclusions, peak_id, peak_value, peak_low, peak_high,
    peak_kind, peak_depth, peak_process_count, is_peak_at_edge, peak_count, peak_reservations, peak_exclusions,
    count(*) over (partition by benches.load_profile, benches.device_id) as bench_count
from benches
inner join devices using (device_id)
qualify row_number() over (
    partition by benches.load_profile, benches.device_id
    order by point_id is null or peak_id is null, exclusions is not null, peak_exclusions is not null, point_id is null,
        is_through_kernel desc, coalesce(len(string_split(reservations, '; ')), 0), shared_count desc, peak_value desc nulls last,
        submission_id, configuration_id
) = 1
),

stated as (
    select 'stated' as origin, '4 KiB random read' as load_profile, device_id, submission_id, configuration_id,
        printed_value as operations_per_second, figure_id
    from figures
    inner join configurations using (submission_id, configuration_id)
    where record_kind = 'stated_spec' and is_canonical and quantity = 'operations_per_second' and printed_unit = 'IOPS'
        and operation = 'read' and access_pattern = 'random' and block_size_bytes = 4096 and queue_depth = 1
    union all by name
    -- on average no random read is quicker than the arm and half a turn
    select 'bound of the mechanics' as origin, '4 KiB random read' as load_profile, drives.device_id, submission_id,
        configuration_id, 1 / (printed_value / 1e3 + 0.5 / rotation_hertz) as operations_per_second, figure_id
    from figures
    inner join drives using (submission_id, configuration_id)
    where quantity = 'seek_time' and operation = 'read' and statistic = 'mean' and printed_unit = 'ms' and rotation_hertz > 0
),

all_rows as (
    select ladder.*, short_name, half_rotation_hertz, interface_limit, interface_limit_bytes_per_second
    from ladder
    inner join devices using (device_id)
    union all by name
    select stated.*, devices.device, devices.short_name, devices.media_class, submissions.source_type
    from stated
    inner join devices using (device_id)
    inner join submissions using (submission_id)
    where submissions.status in ('active', 'disputed')
    qualify row_number() over (partition by origin, device_id order by operations_per_second, submission_id, configuration_id) = 1
)

select * from all_rows
order by load_profile, media_class, origin desc, operations_per_second nulls last, peak_value, device_id
