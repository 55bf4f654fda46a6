-- Figures that the search shows as answers: media and drives compared at queue depth 1, p99.9 of drives, and I/O schedulers.
with reads as (
    select a.device_id, a.media_class, b.device_id as other_id, b.media_class as other_class, ratio
    from comparisons
    inner join points as a on a_point_id = a.point_id
    inner join points as b on b_point_id = b.point_id
    where comparisons.queue_depth = 1 and metric = 'operations_per_second' and a.load_profile = '4 KiB random read' and ratio > 0
        and a.storage_topology = 'single' and b.storage_topology = 'single' and a.device_id <> b.device_id
),

usb as (
    select device_id from devices where interface_protocol = 'USB'
),

both_ways as (
    from reads
    union all
    select other_id, other_class, device_id, media_class, 1 / ratio from reads
),

scheduled as (
    select
        io_scheduler, configurations.drive_count, workload_id, submission_id, points.queue_depth,
        max(operations_per_second) as rate, arg_max(point_id, operations_per_second) as point_id,
        arg_max(contains(operations_per_second_interval_kind, 'bound'), operations_per_second) as is_bound
    from points
    inner join configurations using (submission_id, configuration_id)
    where io_scheduler not in ('unknown', 'not applicable') and len(exclusions) = 0 and operations_per_second is not null
    group by all
),

-- the workload and depth that most schedulers and numbers of drives share
widest as (
    select submission_id, workload_id, queue_depth, min(drive_count) as fewest, max(drive_count) as most
    from scheduled
    group by all
    having count(distinct io_scheduler) > 1
    order by count(*) desc, submission_id, workload_id, queue_depth
    limit 1
)

select 'media' as kind, media_class as name, other_class as other, null::varchar as load_profile, min(ratio) as low, max(ratio) as high,
    count(*) as number, null::varchar as point_id
from both_ways
where media_class <> other_class and device_id not in (from usb) and other_id not in (from usb)
group by media_class, other_class
union all
select 'drives', device_id, other_id, null, min(ratio), max(ratio), count(*), null
from both_ways
group by device_id, other_id
union all
select 'drives', device_id, other_class, null, min(ratio), max(ratio), count(*), null
from both_ways
where other_id not in (from usb)
group by device_id, other_class
union all
select 'p999', device_id, null, load_profile, figure_value, null, queue_depth, number_id
from drive_figures
where metric = 'latency_p999_seconds' and len(exclusions) = 0
union all
select 'scheduler', io_scheduler, drive_count::text, null, rate, if(is_bound, 1, null), queue_depth, point_id
from scheduled
inner join widest using (submission_id, workload_id, queue_depth)
where drive_count in (fewest, most)
order by kind, name, other, load_profile
