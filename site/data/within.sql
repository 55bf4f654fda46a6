-- IOPS within a latency limit: per drive the points with more IOPS than every point of lower latency, by mean latency, p99 or
-- p99.9 (where the tool reports them with enough operations above); workloads that were measured on two drives or more.
with measured as (
    select points.*, if(read_ratio > 0, 'read', 'write') as operation
    from points
    inner join workloads using (workload_id)
    where storage_topology = 'single' and load_basis = 'outstanding' and len(exclusions) = 0 and device_id is not null
        and media_class not in ('virtual', 'other') and is_complete and workloads.load_options is null
        and operations_per_second is not null and latency_mean_seconds is not null
        and value_kind in ('measured', 'lower_bound', 'upper_bound')
    qualify count(distinct device_id) over (partition by workload_id) > 1
),

tails as (
    select submission_id, configuration_id, section, workload_id, load_basis, queue_depth, operation,
        min(latency_seconds) filter (where percentile_ratio = 0.99) as p99_seconds,
        min(latency_seconds) filter (where percentile_ratio = 0.999) as p999_seconds
    from tail_latency
    where percentile_ratio in (0.99, 0.999) and is_supported
    group by all
),

stepped as (
    select
        measured.*, p99_seconds, p999_seconds, contains(operations_per_second_interval_kind, 'bound') as is_bound,
        -- no quicker point of the drive has this rate
        operations_per_second > coalesce(max(operations_per_second) over by_mean, 0) as is_step_of_mean,
        operations_per_second > coalesce(max(operations_per_second) over by_p99, 0) and p99_seconds is not null as is_step_of_p99,
        operations_per_second > coalesce(max(operations_per_second) over by_p999, 0) and p999_seconds is not null as is_step_of_p999
    from measured
    left join tails using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth, operation)
    window
        by_mean as (
            partition by measured.device_id, workload_id order by latency_mean_seconds, operations_per_second desc, point_id
            rows between unbounded preceding and 1 preceding
        ),
        by_p99 as (
            partition by measured.device_id, workload_id order by p99_seconds, operations_per_second desc, point_id
            rows between unbounded preceding and 1 preceding
        ),
        by_p999 as (
            partition by measured.device_id, workload_id order by p999_seconds, operations_per_second desc, point_id
            rows between unbounded preceding and 1 preceding
        )
)

select
    workload_id, load_profile, device_id, short_name, devices.media_class, interface_protocol, point_id, queue_depth,
    nullif(engine, 'libaio') as engine,
    -- five significant digits: pages write three, and a limit that a reader asks for has two
    round(operations_per_second, 4 - cast(floor(log10(operations_per_second)) as integer)) as operations_per_second,
    round(latency_mean_seconds, 4 - cast(floor(log10(latency_mean_seconds)) as integer)) as latency_mean_seconds,
    round(p99_seconds, 4 - cast(floor(log10(p99_seconds)) as integer)) as p99_seconds,
    round(p999_seconds, 4 - cast(floor(log10(p999_seconds)) as integer)) as p999_seconds,
    nullif(is_bound, false) as is_bound
from stepped
inner join devices using (device_id)
where is_step_of_mean or is_step_of_p99 or is_step_of_p999
order by load_profile, device_id, operations_per_second, point_id
