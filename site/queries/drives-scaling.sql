-- One to eight drives: total value and value per drive, at one workload, queue depth, scheduler and process count.
with checked as (
    select submission_id, configuration_id, section, workload_id, queue_depth,
        bool_or(effect = 'X' and metric is null) as is_excluded,
        string_agg(distinct verdict, '; ' order by verdict) as verdicts
    from validity_checks
    where effect is not null and metric is distinct from 'latency_percentile_seconds' and queue_depth is not null
    group by submission_id, configuration_id, section, workload_id, queue_depth
),
steps as (
    select points.*, checked.verdicts, configurations.io_scheduler, configurations.bench_key,
        configurations.controller_model
    from points
    inner join configurations using (submission_id, configuration_id)
    left join checked using (submission_id, configuration_id, section, workload_id, queue_depth)
    where points.drive_count between 1 and 8 and points.storage_topology in ('single', 'independent', 'raid0')
        and points.device_id is not null and points.operations_per_second is not null
        and checked.is_excluded is not true
),
counted as (
    -- one number for each count of drives: the highest
    select *
    from steps
    qualify row_number() over (
        partition by
            submission_id, device_id, workload_id, bench_key, controller_model, io_scheduler, engine, process_count,
            queue_depth, drive_count, storage_topology
        order by operations_per_second desc, configuration_id, section
    ) = 1
),
based as (
    select *,
        first_value(drive_count) over same as base_drive_count,
        first_value(operations_per_second) over same as base_operations_per_second,
        last_value(drive_count) over same as most_drive_count
    from counted
    window same as (
        partition by
            submission_id, device_id, workload_id, bench_key, controller_model, io_scheduler, engine, process_count,
            queue_depth
        order by drive_count, storage_topology
        rows between unbounded preceding and unbounded following
    )
)
select device, load_profile, io_scheduler, engine, controller_model, process_count, queue_depth, drive_count,
    storage_topology, operations_per_second, operations_per_second / drive_count as operations_per_drive_per_second,
    operations_per_second / base_operations_per_second as factor_ratio,
    operations_per_second / base_operations_per_second * base_drive_count / drive_count as efficiency_ratio,
    throughput_bytes_per_second, latency_mean_seconds, base_drive_count, verdicts, submission_id, configuration_id, section,
    point_id
from based
where most_drive_count > base_drive_count
order by device, load_profile, io_scheduler, engine, controller_model, process_count, queue_depth, drive_count,
    submission_id, configuration_id, section
