with parts as (
    select
        point_id,
        list(
            result_id order by runs.repetition_index, runs.started_at, repetition_id, results.operation, result_id
        ) as result_ids
    from repetitions_of_points
    inner join repetitions as runs using (repetition_id)
    inner join results using (repetition_id)
    where not is_partial
    group by point_id
),

checked as (
    select
        point_id, list_sort(list(distinct {name: check_name, verdict: validity_checks.verdict, effect: effect})) as checks
    from validity_checks
    inner join repetitions_of_points using (repetition_id)
    where check_name <> 'percentile support'
    group by point_id
),

risen as (
    select point_id, list({id: peak_id, metric: metric, 'at': peaks.queue_depth} order by metric) as peaks
    from points
    inner join peaks using (submission_id, configuration_id, section, workload_id, load_basis)
    where peak_origin <> 'stated'
    group by point_id
),

-- percentiles by operation, those of the latency that is closest to the device first
tails as (
    select * from tail_latency
    where statistic = 'percentile' and percentile_ratio < 1
    qualify row_number() over (
        partition by
            submission_id, configuration_id, section, workload_id, load_basis, queue_depth, operation, percentile_ratio
        order by latency_kind desc
    ) = 1
),

tailed as (
    select
        point_id,
        list(
            {operation: operation, percentile: percentile_ratio, latency: latency_seconds}
            order by operation, percentile_ratio
        ) as tails
    from points
    inner join tails using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
    group by point_id
),

-- for a number that is not used: the same workload, depth and drive on setups that count
counting as (
    select
        points.point_id,
        list(
            {id: others.point_id, value: others.operations_per_second}
            order by others.operations_per_second, others.point_id
        )[:4] as sound
    from points
    inner join points as others using (device_id, workload_id, queue_depth, load_basis, storage_topology)
    where
        len(points.exclusions) > 0 and len(others.exclusions) = 0
        and others.operations_per_second is not null
    group by points.point_id
)

select
    point_id as id,
    -- under the keys that the JSON of numbers has
    points.* exclude (point_id, device, media_class, storage_topology, device_id, tool, tool_version) rename (
        operations_per_second_low as operations_low_per_second,
        operations_per_second_high as operations_high_per_second,
        operations_per_second_interval_kind as operations_kind,
        throughput_bytes_per_second_low as throughput_low_bytes_per_second,
        throughput_bytes_per_second_high as throughput_high_bytes_per_second,
        throughput_bytes_per_second_interval_kind as throughput_kind,
        latency_mean_seconds_low as latency_mean_low_seconds,
        latency_mean_seconds_high as latency_mean_high_seconds,
        latency_mean_seconds_interval_kind as latency_kind_of_interval
    ),
    result_ids, checks, tails, sound, peaks, quotients, quotient_count, factors, factor_count,
    if(steady_windows.verdict = 'not_steady', range_ratio, null) as unsteady_range_ratio
from points
left join steady_windows using (point_id)
left join parts using (point_id)
left join checked using (point_id)
left join tailed using (point_id)
left join counting using (point_id)
left join risen using (point_id)
left join pairs_of_operands using (point_id)
left join factors_by_operand on point_id = operand_id
order by point_id
