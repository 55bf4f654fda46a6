-- Drives at queue depth 1 and at their peak: 4 KiB random reads of single drives, with the limits that vendors state and that the mechanics set.
with loads as (
    -- without fio's map of blocks an address may come twice: the same load to a drive
    select workload_id
    from workloads
    where access_pattern = 'random' and read_ratio = 1 and block_size_bytes = 4096
        and coalesce(load_options, '{"norandommap":true}') = '{"norandommap":true}'
),
checked as (
    select submission_id, configuration_id, section, workload_id, queue_depth,
        bool_or(effect = 'X' and metric is null) as is_excluded,
        string_agg(distinct verdict, '; ' order by verdict) filter (where effect <> 'X') as reservations
    from validity_checks
    where effect is not null and metric is distinct from 'latency_percentile_seconds' and queue_depth is not null
    group by submission_id, configuration_id, section, workload_id, queue_depth
),
rungs as (
    select 'queue depth 1' as rung, 'measured' as origin, submission_id, configuration_id, section, workload_id, queue_depth,
        operations_per_second, operations_low_per_second as low_per_second, operations_high_per_second as high_per_second,
        latency_mean_seconds, latency_kind, value_kind, repetition_count, process_count, point_id as number_id
    from points
    where workload_id in (from loads) and load_basis = 'outstanding' and queue_depth = 1 and storage_topology = 'single'
        and (operations_per_second is not null or latency_mean_seconds is not null)
    union all by name
    select 'peak' as rung, 'measured' as origin, submission_id, configuration_id, section, workload_id, queue_depth,
        peak_value as operations_per_second, low as low_per_second, high as high_per_second, value_kind, repetition_count,
        process_count, peak_id as number_id, queue_depths, is_peak_at_edge
    from peaks
    where workload_id in (from loads) and load_basis = 'outstanding' and storage_topology = 'single'
        and metric = 'operations_per_second' and queue_depth_high > 1
    union all by name
    select 'queue depth 1' as rung, 'stated' as origin, submission_id, configuration_id, section, queue_depth,
        printed_value as operations_per_second, value_kind, figure_id as number_id
    from figures
    where record_kind = 'stated_spec' and is_canonical and quantity = 'operations_per_second' and printed_unit = 'IOPS'
        and operation = 'read' and access_pattern = 'random' and block_size_bytes = 4096 and queue_depth = 1
    union all by name
    -- on average no random read is quicker than the arm and half a turn
    select 'queue depth 1' as rung, 'bound of the mechanics' as origin, submission_id, configuration_id, section,
        1 as queue_depth, 1 / (printed_value / 1e3 + 0.5 / rotation_hertz) as operations_per_second,
        printed_value / 1e3 + 0.5 / rotation_hertz as latency_mean_seconds, 'upper_bound' as value_kind,
        figure_id as number_id
    from figures
    inner join drives using (submission_id, configuration_id)
    where quantity = 'seek_time' and operation = 'read' and statistic = 'mean' and printed_unit = 'ms' and rotation_hertz > 0
)
select rung, media_class, device, drive_firmware, origin, source_type,
    case
        when origin <> 'measured' then origin
        when source_type not in ('raw_tool_output', 'excerpt') then 'printed figure'
        when rungs.repetition_count >= 3 then 'repeated runs'
        else 'single runs'
    end as evidence,
    operations_per_second, low_per_second, high_per_second, latency_mean_seconds, rungs.latency_kind, value_kind,
    rungs.queue_depth, queue_depths, is_peak_at_edge, rungs.process_count, rungs.repetition_count, reservations, section,
    conditions, device_id, submission_id, configuration_id, number_id
from rungs
inner join configurations using (submission_id, configuration_id)
inner join submissions using (submission_id)
left join checked using (submission_id, configuration_id, section, workload_id, queue_depth)
where device_id is not null and is_excluded is not true and submissions.status in ('active', 'disputed')
-- of one configuration the highest peak, whatever number of processes made it
qualify row_number() over (
    partition by rung, origin, submission_id, configuration_id
    order by operations_per_second desc nulls last, section, number_id
) = 1
order by rung desc, media_class, coalesce(operations_per_second, 1 / latency_mean_seconds), device, submission_id, configuration_id
