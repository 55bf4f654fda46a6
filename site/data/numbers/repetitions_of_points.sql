-- which point each repetition belongs to; a point without a value has no page
select
    points.point_id, points.queue_depth, points.run_count, repetitions.repetition_id,
    coalesce(points.operations_per_second, points.throughput_bytes_per_second, points.latency_mean_seconds) is not null
        as has_value
from repetitions
inner join points
    on
        repetitions.submission_id = points.submission_id
        and repetitions.configuration_id = points.configuration_id
        and repetitions.section = points.section
        and repetitions.workload_id = points.workload_id
        and repetitions.queue_depth = points.queue_depth
        and points.load_basis = coalesce(nullif(repetitions.load_basis, 'outstanding_per_drive'), 'outstanding')
where
    (repetitions.is_comparable or repetitions.is_bound)
    and repetitions.statistic in ('point', 'plateau', 'mean', 'median')
