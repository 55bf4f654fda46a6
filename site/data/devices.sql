-- Every device: its properties, its values in drive_figures for 4 KiB random reads and for sequential access with large
-- blocks, when and by whom it was measured, and why it is listed separately (fold).
with reads as (
    select
        device_id,
        max(figure_value) filter (where figure = 'queue depth 1' and metric = 'operations_per_second') as lowest,
        any_value(struct_pack(
            kind := value_kind, reservations := reservations, exclusions := exclusions, id := number_id,
            place := submission_id || '/' || configuration_id
        )) filter (where figure = 'queue depth 1' and metric = 'operations_per_second') as its_lowest,
        max(figure_value) filter (where metric = 'latency_mean_seconds') as latency_mean_seconds,
        any_value(number_id) filter (where metric = 'latency_mean_seconds') as latency_point_id,
        max(figure_value) filter (where metric = 'latency_p999_seconds') as latency_p999_seconds,
        any_value(number_id) filter (where metric = 'latency_p999_seconds') as p999_point_id,
        max(figure_value) filter (where figure = 'highest' and metric = 'operations_per_second') as highest,
        any_value(struct_pack(
            kind := value_kind, depth := queue_depth, reservations := reservations, exclusions := exclusions, id := number_id,
            place := submission_id || '/' || configuration_id
        )) filter (where figure = 'highest' and metric = 'operations_per_second') as its_highest
    from drive_figures
    where load_profile = '4 KiB random read'
    group by device_id
),

streams as (
    select
        device_id,
        max(figure_value) filter (where read_ratio = 1) as read_bytes_per_second,
        arg_max(number_id, figure_value) filter (where read_ratio = 1) as read_peak_id,
        arg_max(value_kind, figure_value) filter (where read_ratio = 1) as read_kind,
        max(figure_value) filter (where read_ratio = 0) as write_bytes_per_second,
        arg_max(number_id, figure_value) filter (where read_ratio = 0) as write_peak_id,
        arg_max(value_kind, figure_value) filter (where read_ratio = 0) as write_kind
    from drive_figures
    inner join workloads using (workload_id)
    where access_pattern = 'sequential' and read_ratio in (0, 1) and block_size_bytes >= 65536 and len(exclusions) = 0
        and metric = 'throughput_bytes_per_second'
    group by device_id
),

tested as (
    select
        configurations.device_id, min(year(coalesce(started_at, ended_at))) as year,
        max(configurations.completeness_ratio) as known_ratio, string_agg(distinct submissions.source_type, ', ' order by submissions.source_type) as sources,
        string_agg(distinct results.tool, ', ' order by results.tool) as tools,
        bool_or(configurations.storage_topology = 'single') as is_measured_alone
    from results
    inner join configurations using (submission_id, configuration_id)
    inner join submissions using (submission_id)
    where configurations.device_id is not null
    group by configurations.device_id
)

select
    devices.device_id, device, short_name, vendor, model, media_class, capacity_bytes, interface_protocol,
    interface_generation, result_count, configuration_count,
    case
        when result_count = 0 then 'data_sheet'
        when media_class in ('virtual', 'other') then media_class
        when not is_measured_alone then 'arrays'
    end as fold,
    year, known_ratio, sources, tools, lowest, its_lowest.kind as lowest_kind, its_lowest.reservations as lowest_reservations,
    its_lowest.exclusions as lowest_exclusions, its_lowest.id as lowest_point_id, latency_mean_seconds, latency_point_id,
    latency_p999_seconds, p999_point_id, highest, its_highest.kind as highest_kind, its_highest.depth as highest_depth,
    its_highest.reservations as highest_reservations, its_highest.exclusions as highest_exclusions,
    its_highest.id as highest_peak_id, its_lowest.place <> its_highest.place as is_of_two_setups,
    streams.* exclude (device_id)
from devices
left join reads using (device_id)
left join streams using (device_id)
left join tested using (device_id)
order by lowest desc nulls last, latency_mean_seconds, highest desc nulls last, device_id
