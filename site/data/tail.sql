-- Latency percentiles that tools report, of single drives at queue depth 1, 8 and 32, one process. Per drive, workload and
-- depth the run with the most percentiles, preferably through the kernel; also percentiles that a review printed without the
-- kind of latency and the number of processes.
with plain as (
    select load_profile, min(workload_id) as workload_id
    from workloads
    where is_complete and load_options is null and stream_count is null
    group by load_profile
),

loads as (
    -- without fio's map of blocks an address may come twice: the same load to a drive
    select
        workloads.workload_id, coalesce(plain.workload_id, workloads.workload_id) as group_id,
        coalesce(plain.load_profile, workloads.load_profile) as load_profile
    from workloads
    left join plain
        on
            plain.load_profile = replace(workloads.load_profile, ', norandommap=true', '')
            and workloads.load_options = '{"norandommap":true}' and workloads.stream_count is null
),

single as (
    select *
    from points
    where storage_topology = 'single' and load_basis = 'outstanding' and queue_depth in (1, 8, 32) and len(exclusions) = 0
        and coalesce(process_count, 1) = 1
),

steps as (
    select
        tail_latency.submission_id, tail_latency.configuration_id, tail_latency.section, tail_latency.workload_id,
        tail_latency.queue_depth, tail_latency.operation, tail_latency.percentile_ratio, tail_latency.latency_seconds,
        tail_latency.run_count, tail_latency.device_id, single.point_id, single.reservations, single.engine,
        false as is_press, null as source,
        count(*) over step as percentile_count, max(tail_latency.percentile_ratio) over step as highest_ratio
    from tail_latency
    inner join single using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
    where tail_latency.statistic = 'percentile' and tail_latency.percentile_ratio < 1 and tail_latency.latency_seconds > 0
        and tail_latency.is_supported is distinct from false and tail_latency.latency_kind = 'completion'
    window step as (
        partition by
            tail_latency.submission_id, tail_latency.configuration_id, tail_latency.section, tail_latency.workload_id,
            tail_latency.queue_depth, tail_latency.operation
    )
),

printed as (
    select
        single.submission_id, single.configuration_id, single.section, single.workload_id, single.queue_depth,
        figures.operation,
        case
            when figures.quantity = 'latency_p99' then 0.99
            when figures.quantity = 'latency_p99_999' then 0.99999
            else 0.5
        end as percentile_ratio,
        figures.printed_value * 1e-6 as latency_seconds, single.run_count, single.device_id, single.point_id,
        single.reservations, single.engine, true as is_press,
        '?file=raw/' || figures.submission_id || '/' || files.path || '&at=' || replace(figures.source_pointer, ' ', '+') as source,
        0 as percentile_count, 0 as highest_ratio
    from figures
    inner join files using (file_id)
    inner join single
        on
            figures.submission_id = single.submission_id and figures.configuration_id = single.configuration_id
            and figures.load_profile = single.load_profile and figures.queue_depth = single.queue_depth
    inner join submissions on figures.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed') and figures.is_canonical and figures.value_kind = 'measured' and figures.printed_unit = 'µs'
        and (figures.quantity in ('latency_p99', 'latency_p99_999') or (figures.quantity = 'latency' and figures.statistic = 'median'))
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
    chosen.group_id as workload_id, chosen.load_profile, chosen.operation, chosen.queue_depth, devices.device_id,
    coalesce(devices.short_name, devices.device) as device, devices.media_class, chosen.percentile_ratio,
    chosen.latency_seconds, chosen.run_count, chosen.reservations, chosen.submission_id, chosen.point_id,
    chosen.is_press, chosen.source
from chosen
inner join devices using (device_id)
order by load_profile, operation, queue_depth, media_class, device, device_id, percentile_ratio
