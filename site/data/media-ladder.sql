-- IOPS of each drive at queue depth 1 and at its highest point, by workload, from drive_figures; also the limits that vendors
-- state and that the mechanics set.
with common as (
    select workload_id
    from drive_figures
    inner join configurations using (submission_id, configuration_id)
    inner join workloads using (workload_id)
    where figure = 'highest' and load_options is null and workloads.stream_count is null
    group by workload_id
    having count(distinct media_class) >= 3
),

shown as (
    select drive_figures.*, coalesce(points.value_kind, peaks.value_kind) as kind, peaks.process_count, is_peak_at_edge
    from drive_figures
    left join points on number_id = point_id
    left join peaks on number_id = peak_id
    where drive_figures.workload_id in (from common)
),

ladder as (
    select
        'measured' as origin, load_profile, device_id,
        coalesce(lowest.submission_id, latency.submission_id, highest.submission_id) as submission_id,
        coalesce(lowest.configuration_id, latency.configuration_id, highest.configuration_id) as configuration_id,
        coalesce(lowest.number_id, latency.number_id) as point_id, lowest.figure_value as operations_per_second,
        lowest.figure_value_low as low_per_second, lowest.figure_value_high as high_per_second,
        latency.figure_value as latency_mean_seconds,
        coalesce(lowest.kind, latency.kind) as value_kind,
        coalesce(lowest.run_count, latency.run_count) as run_count,
        coalesce(lowest.reservations, latency.reservations) as reservations,
        coalesce(lowest.exclusions, latency.exclusions) as exclusions,
        highest.number_id as peak_id, highest.figure_value as peak_value, highest.figure_value_low as peak_low,
        highest.figure_value_high as peak_high,
        highest.kind as peak_kind, highest.queue_depth as peak_depth, highest.process_count as peak_process_count,
        highest.is_peak_at_edge, highest.run_count as peak_count, highest.reservations as peak_reservations,
        highest.exclusions as peak_exclusions,
        lowest.configuration_id <> highest.configuration_id as is_of_two_setups,
        coalesce(lowest.setup_count, latency.setup_count, highest.setup_count) as bench_count
    from (from shown where figure = 'queue depth 1' and metric = 'operations_per_second') as lowest
    full join (from shown where metric = 'latency_mean_seconds') as latency using (device_id, workload_id, load_profile)
    full join (from shown where figure = 'highest' and metric = 'operations_per_second') as highest
        using (device_id, workload_id, load_profile)
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
    select ladder.*, devices.device, short_name, devices.media_class, interface_protocol, source_type, conditions,
        bench_key, half_rotation_hertz, interface_limit, interface_limit_bytes_per_second
    from ladder
    inner join devices using (device_id)
    inner join configurations using (submission_id, configuration_id)
    inner join submissions using (submission_id)
    union all by name
    select stated.*, devices.device, devices.short_name, devices.media_class, submissions.source_type
    from stated
    inner join devices using (device_id)
    inner join submissions using (submission_id)
    qualify row_number() over (partition by origin, device_id order by operations_per_second, submission_id, configuration_id) = 1
)

select * from all_rows
order by load_profile, media_class, origin desc, operations_per_second nulls last, peak_value, device_id
