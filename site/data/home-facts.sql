-- Facts for the cards of the home page: counts, knees by medium, ratios, variations, tail latencies and claims. One row
-- per fact, with its lowest and highest value and the number of values behind it.
with arrays as (
    -- as on the page about scaling: the highest value of each array and engine; the drive with the most numbers of drives
    select scaling.*, engine
    from scaling
    left join (
        select submission_id, configuration_id as array_configuration_id, section as array_section, workload_id, min(engine) as engine
        from points
        group by all
    ) using (submission_id, array_configuration_id, array_section, workload_id)
    where metric = 'operations_per_second' and factor_ratio > 0
    qualify row_number() over (
        partition by submission_id, workload_id, device_id, topology, drive_count, engine
        order by array_value desc, base_value desc, scaling_id
    ) = 1
),

family as (
    select workload_id, device_id
    from arrays
    group by workload_id, device_id
    order by count(distinct drive_count) desc, max(base_value) desc, workload_id, device_id
    limit 1
),

pair as (
    select workload_id, ratio
    from quotients
    where ratio > 0 and queue_depth is not null and metric <> 'latency_mean_seconds'
        and a_device_id = 'samsung-990-pro-2tb' and b_device_id = 'samsung-980-pro-1tb'
),

-- where the load generator or the host was full at the knee, the knee is not that of the drive
knees as (
    select
        peaks.media_class, peaks.device_id, peaks.queue_depth_knee,
        coalesce(list_has_any(points.reservations, ['generator bound', 'host limited']), false) as is_held
    from peaks
    inner join (from devices where interface_protocol is distinct from 'USB') using (device_id)
    left join points
        on
            (peaks.submission_id, peaks.configuration_id, peaks.section, peaks.workload_id, peaks.load_basis)
            = (points.submission_id, points.configuration_id, points.section, points.workload_id, points.load_basis)
            and peaks.queue_depth_knee = points.queue_depth
            and peaks.process_count is not distinct from points.process_count
    where peaks.knee_verdict = 'saturated' and peaks.metric = 'operations_per_second' and peaks.storage_topology = 'single'
        and coalesce(peaks.process_count, 1) = 1 and peaks.queue_depth_before is not null and peaks.device_id is not null
        and peaks.load_profile in ('4 KiB random read', '4 KiB random read, norandommap=true')
),

spreads as (
    select device_id, any_value(points.device order by points.device) as device,
        max(latency_mean_seconds) / min(latency_mean_seconds) as ratio, count(distinct configuration_id) as run_set_count,
        count(distinct bench_key) as bench_count
    from points
    inner join configurations using (submission_id, configuration_id, device_id)
    where points.storage_topology = 'single' and load_basis = 'outstanding' and queue_depth = 1 and points.media_class <> 'virtual'
        and load_profile in ('4 KiB random read', '4 KiB random read, norandommap=true')
        and coalesce(points.process_count, 1) = 1 and latency_mean_seconds is not null
        and exclusions in ([], ['area not written before'], ['served by a cache'], ['drive nearly empty'])
    group by device_id
)

select 'results' as fact, null as name, null as low, null as high, count(*) as number from results
union all
select 'drives', null, null, null, count(*) from devices where result_count > 0
union all
select 'submissions', null, null, null, count(*) from submissions where status in ('active', 'disputed')
union all
select
    if(is_held, 'knee_held', 'knee'), media_class, min(queue_depth_knee), max(queue_depth_knee),
    count(distinct device_id)
from knees
group by is_held, media_class
union all
select 'factor', drive_count::text, min(factor_ratio), max(factor_ratio), count(*)
from arrays
inner join family using (workload_id, device_id)
where drive_count in (2, 4, 8)
group by drive_count
union all
select 'pair', null, min(ratio), max(ratio), count(distinct workload_id) from pair
having count(*) > 0
union all
select * from (
    select 'spread', device, ratio, null, run_set_count
    from spreads
    where run_set_count > 1
    order by bench_count desc, run_set_count desc, device
    limit 1
)
union all
select
    'tail', if(interface_protocol = 'USB', 'usb', media_class) as medium, min(figure_value), max(figure_value), count(*)
from drive_figures
inner join devices using (device_id)
where metric = 'latency_p999_seconds' and load_profile = '4 KiB random read' and len(exclusions) = 0
group by medium
union all
-- drives with 50,000 random reads a second within 1 ms, by the mean and by p99.9, and drives with a rate and a latency
select
    'within', null, count(distinct device_id) filter (where operations_per_second >= 50000 and latency_mean_seconds <= 0.001),
    count(distinct device_id) filter (where operations_per_second >= 50000 and p999 <= 0.001), count(distinct device_id)
from (
    select points.*, latency_seconds as p999
    from points
    left join (from tail_latency where percentile_ratio = 0.999 and operation = 'read' and is_supported)
        using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
)
where storage_topology = 'single' and load_basis = 'outstanding' and load_profile = '4 KiB random read'
    and len(exclusions) = 0 and media_class not in ('virtual', 'other') and operations_per_second is not null
    and latency_mean_seconds is not null and value_kind <> 'approximate'
union all
select 'claims', verdict, null, null, count(*)
from claims
group by verdict
order by fact, name, low
