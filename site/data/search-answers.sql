-- Figures that the search shows as answers: p99.9 of drives at queue depth 1, and IOPS under I/O schedulers.
with scheduled as (
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

select 'p999' as kind, device_id as name, null as other, load_profile, figure_value as low, false as is_bound, queue_depth,
    number_id as point_id
from drive_figures
where metric = 'latency_p999_seconds' and len(exclusions) = 0
union all
select 'scheduler', io_scheduler, drive_count::text, null, rate, is_bound, queue_depth, point_id
from scheduled
inner join widest using (submission_id, workload_id, queue_depth)
where drive_count in (fewest, most)
order by kind, name, other, load_profile
