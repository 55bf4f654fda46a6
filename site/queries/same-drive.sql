-- One drive on several test benches: the same workload on drives of one model, with controller, scheduler and kernel, and the ratio between them.
with checked as (
    select submission_id, configuration_id, section, workload_id, queue_depth,
        bool_or(effect = 'X' and metric is null) as is_excluded,
        string_agg(distinct verdict, '; ' order by verdict) as verdicts
    from validity_checks
    where effect is not null and metric is distinct from 'latency_percentile_seconds' and queue_depth is not null
    group by submission_id, configuration_id, section, workload_id, queue_depth
)
select points.device, points.load_profile, points.queue_depth, points.process_count,
    max(points.operations_per_second) over same / min(points.operations_per_second) over same as spread_ratio,
    count(*) over same as number_count, points.operations_per_second, points.latency_mean_seconds, points.latency_kind,
    configurations.system_model, configurations.controller_model, configurations.io_scheduler, configurations.kernel,
    points.engine, configurations.filesystem, configurations.drive_firmware, configurations.preconditioning_class,
    configurations.conditions, checked.verdicts, configurations.bench_key, points.submission_id, points.configuration_id,
    points.section, points.point_id
from points
inner join configurations using (submission_id, configuration_id)
left join checked using (submission_id, configuration_id, section, workload_id, queue_depth)
where points.device_id is not null and points.storage_topology = 'single' and points.load_basis = 'outstanding'
    and points.media_class <> 'virtual' and points.operations_per_second is not null and checked.is_excluded is not true
window same as (partition by points.device_id, points.workload_id, points.queue_depth, points.process_count)
qualify max(concat(points.submission_id, '/', points.configuration_id)) over same
    > min(concat(points.submission_id, '/', points.configuration_id)) over same
order by points.device, points.load_profile, points.queue_depth, points.process_count, points.operations_per_second,
    points.submission_id, points.configuration_id, points.section
