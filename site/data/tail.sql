-- Latency percentiles that tools report, of single drives at queue depth 1, 8 and 32, one process. Per drive, workload and
-- depth the run with the most percentiles, preferably through the kernel; also percentiles that a review printed without the
-- kind of latency and the number of processes.
with loads as (
    -- without fio's map of blocks an address may come twice: the same load to a drive
    select
        workload_id, coalesce(min(workload_id) filter (where load_options is null) over same, workload_id) as group_id,
        coalesce(min(load_profile) filter (where load_options is null) over same, load_profile) as load_profile
    from workloads
    window same as (
        partition by
            if(load_options = '{"norandommap":true}', replace(load_profile, ', norandommap=true', ''), load_profile),
            stream_count, if(is_complete, '', workload_id)
    )
),

single as (
    select *
    from points
    where storage_topology = 'single' and load_basis = 'outstanding' and queue_depth in (1, 8, 32) and len(exclusions) = 0
        and coalesce(process_count, 1) = 1
),

steps as (
    select
        submission_id, configuration_id, section, workload_id, queue_depth, operation, percentile_ratio, latency_seconds,
        tails.run_count, tails.device_id, point_id, reservations, engine, false as is_press, null as source,
        count(*) over step as percentile_count, max(percentile_ratio) over step as highest_ratio
    from tail_latency as tails
    inner join single using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
    where statistic = 'percentile' and percentile_ratio < 1 and latency_seconds > 0 and is_supported is distinct from false
        and tails.latency_kind = 'completion'
    window step as (partition by submission_id, configuration_id, section, workload_id, queue_depth, operation)
),

printed as (
    select
        submission_id, configuration_id, single.section, single.workload_id, queue_depth, operation,
        case quantity when 'latency_p99' then 0.99 when 'latency_p99_999' then 0.99999 else 0.5 end as percentile_ratio,
        printed_value * 1e-6 as latency_seconds, single.run_count, single.device_id, point_id, reservations,
        single.engine, true as is_press,
        '?file=raw/' || submission_id || '/' || files.path || '&at=' || replace(source_pointer, ' ', '+') as source,
        0 as percentile_count, 0 as highest_ratio
    from figures
    inner join single using (submission_id, configuration_id, load_profile, queue_depth)
    inner join files using (file_id, submission_id)
    where is_canonical and figures.value_kind = 'measured' and printed_unit = 'µs'
        and (quantity in ('latency_p99', 'latency_p99_999') or (quantity = 'latency' and statistic = 'median'))
),

chosen as (
    select *
    from (from steps union all from printed)
    inner join loads using (workload_id)
    qualify dense_rank() over (
        partition by device_id, group_id, queue_depth, operation
        order by
            is_press, coalesce(engine = 'spdk', false), highest_ratio desc, percentile_count desc, submission_id,
            configuration_id, section, workload_id
    ) = 1
)

select
    group_id as workload_id, load_profile, operation, queue_depth, device_id, coalesce(short_name, device) as device,
    media_class, percentile_ratio, latency_seconds, run_count, reservations, submission_id, point_id, is_press, source
from chosen
inner join devices using (device_id)
order by load_profile, operation, queue_depth, media_class, device, device_id, percentile_ratio
