-- What the questions on the home page answer with: counts, knees by medium, verdicts, factors, spreads, tails, claims and
-- what is unknown, one row per fact with its lowest and highest value and how many stand behind it.
with standing as (
    select submission_id from submissions where status in ('active', 'disputed')
),

single_reads as (
    select points.*
    from points
    where storage_topology = 'single' and load_basis = 'outstanding' and device_id is not null and media_class <> 'virtual'
        and load_profile in ('4 KiB random read', '4 KiB random read, norandommap=true') and queue_depth = 1
        and coalesce(process_count, 1) = 1 and latency_mean_seconds is not null
),

-- where the load generator or the host was full at the knee, the knee is not that of the drive
knees as (
    select
        peaks.media_class, peaks.device_id, peaks.queue_depth_knee,
        regexp_matches(coalesce(points.reservations, ''), 'generator bound|host limited') as is_held
    from peaks
    left join points
        on
            peaks.submission_id = points.submission_id and peaks.configuration_id = points.configuration_id
            and peaks.section = points.section and peaks.workload_id = points.workload_id
            and peaks.load_basis = points.load_basis and peaks.queue_depth_knee = points.queue_depth
            and peaks.process_count is not distinct from points.process_count
    where peaks.knee_verdict = 'saturated' and peaks.metric = 'operations_per_second' and peaks.storage_topology = 'single'
        and coalesce(peaks.process_count, 1) = 1 and peaks.queue_depth_before is not null and peaks.device_id is not null
        and peaks.load_profile in ('4 KiB random read', '4 KiB random read, norandommap=true')
),

spreads as (
    select single_reads.device_id, any_value(single_reads.device order by single_reads.device) as device, max(latency_mean_seconds) / min(latency_mean_seconds) as ratio,
        count(distinct configuration_id) as run_set_count, count(distinct bench_key) as bench_count
    from single_reads
    inner join configurations using (submission_id, configuration_id)
    where coalesce(exclusions, '') in ('', 'area not written before', 'served by a cache', 'drive nearly empty')
    group by single_reads.device_id
),

unknown as (
    select field, count(*) filter (where how_known = 'unknown') as unknown_count, count(*) as all_count
    from facts
    inner join standing using (submission_id)
    where configuration_id is not null
    group by field
    having count(distinct configuration_id) > 1
)

select 'results' as fact, null as name, null as low, null as high, count(*) as number from results
union all
select 'drives', null, null, null, count(*) from devices
union all
select 'submissions', null, null, null, count(*) from standing
union all
select
    case when is_held then 'knee_held' else 'knee' end, media_class, min(queue_depth_knee), max(queue_depth_knee),
    count(distinct device_id)
from knees
group by is_held, media_class
union all
select 'verdict', coalesce(verdict, 'none') as name, null, null, count(*)
from comparisons
group by name
union all
select 'factor', drive_count::text, min(factor_ratio), max(factor_ratio), count(*)
from scaling
where factor_ratio is not null
group by drive_count
union all
select * from (
    select 'spread', device, ratio, null, run_set_count
    from spreads
    where run_set_count > 1
    order by bench_count desc, run_set_count desc, device
    limit 1
)
union all
select 'tail', null, min(latency_seconds), max(latency_seconds), count(distinct tail_latency.device_id)
from tail_latency
inner join single_reads using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
where percentile_ratio = 0.9999 and operation = 'read' and is_supported and single_reads.exclusions is null
union all
select 'claims', verdict, null, null, count(*)
from claims
group by verdict
union all
select * from (
    select 'unknown', field, unknown_count / all_count as share, null, all_count
    from unknown
    where field in (
        'bios_version', 'power_plan', 'cpu_model', 'memory_bytes', 'steady_state', 'preconditioning', 'data_pattern',
        'kernel', 'operating_system', 'drive_firmware', 'firmware', 'write_cache', 'io_scheduler'
    )
    order by share desc, field
    limit 3
)
order by fact, name, low
