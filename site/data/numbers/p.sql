with placed as (
    select
        repetitions_of_points.point_id,
        repetitions.repetition_id,
        repetitions.repetition_index,
        repetitions.operations_per_second,
        repetitions.throughput_bytes_per_second,
        repetitions.latency_mean_seconds,
        repetitions.operations_origin,
        repetitions.throughput_origin,
        repetitions.is_bound,
        repetitions.started_at
    from repetitions_of_points
    inner join repetitions on repetitions_of_points.repetition_id = repetitions.repetition_id
),

parts as (
    select
        repetition_id,
        list(
            {
                id: result_id, operation: operation, operations: operations_per_second,
                throughput: throughput_bytes_per_second, latency: latency_mean_seconds, file: source_path,
                'at': source_pointer
            } order by operation, result_id
        ) as parts
    from results
    where not is_partial
    group by repetition_id
),

runs as (
    select
        placed.point_id,
        list(
            {
                run: placed.repetition_index, operations: placed.operations_per_second,
                throughput: placed.throughput_bytes_per_second, latency: placed.latency_mean_seconds,
                operations_origin: placed.operations_origin, throughput_origin: placed.throughput_origin,
                bound: placed.is_bound, parts: parts.parts
            } order by placed.repetition_index, placed.started_at, placed.repetition_id
        ) as runs
    from placed
    left join parts on placed.repetition_id = parts.repetition_id
    group by placed.point_id
),

checked as (
    select
        placed.point_id,
        list_sort(list(distinct {name: checks.check_name, verdict: checks.verdict, effect: checks.effect})) as checks
    from validity_checks as checks
    inner join placed on checks.repetition_id = placed.repetition_id
    where checks.check_name <> 'percentile support'
    group by placed.point_id
),

risen as (
    select
        points.point_id,
        list(
            {
                id: peaks.peak_id, metric: peaks.metric, 'at': peaks.queue_depth, knee: peaks.queue_depth_knee,
                before: peaks.queue_depth_before
            } order by peaks.metric
        ) as peaks
    from points
    inner join peaks
        on
            points.submission_id = peaks.submission_id
            and points.configuration_id = peaks.configuration_id
            and points.section = peaks.section
            and points.workload_id = peaks.workload_id
            and points.load_basis = peaks.load_basis
    where peaks.peak_origin <> 'stated'
    group by points.point_id
),

-- percentiles by operation, those of the latency that is closest to the device first
tailed as (
    select
        points.point_id,
        list(
            {
                operation: tails.operation, percentile: tails.percentile_ratio, latency: tails.latency_seconds
            } order by tails.operation, tails.percentile_ratio
        ) as tails
    from points
    inner join (
        select *
        from tail_latency
        where statistic = 'percentile' and percentile_ratio < 1
        qualify row_number() over (
            partition by
                submission_id, configuration_id, section, workload_id, load_basis, queue_depth, operation,
                percentile_ratio
            order by latency_kind desc
        ) = 1
    ) as tails
        on
            points.submission_id = tails.submission_id
            and points.configuration_id = tails.configuration_id
            and points.section = tails.section
            and points.workload_id = tails.workload_id
            and points.load_basis = tails.load_basis
            and points.queue_depth = tails.queue_depth
    group by points.point_id
),

-- for a number that is not used: the same workload, depth and drive on setups that count
counting as (
    select
        points.point_id,
        list(
            {id: others.point_id, value: others.operations_per_second} order by others.operations_per_second, others.point_id
        )[:4] as sound
    from points
    inner join points as others
        on
            points.device_id = others.device_id
            and points.workload_id = others.workload_id
            and points.queue_depth = others.queue_depth
            and points.load_basis = others.load_basis
            and points.storage_topology = others.storage_topology
    where
        len(points.exclusions) > 0 and len(others.exclusions) = 0
        and others.operations_per_second is not null
    group by points.point_id
),

divided as (
    select
        points.point_id,
        pairs.quotients,
        pairs.quotient_count
    from points
    inner join pairs_of_operands as pairs on points.point_id = pairs.point_id
)

select
    points.point_id as id,
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
    runs.runs,
    checked.checks,
    tailed.tails,
    counting.sound,
    risen.peaks,
    divided.quotients,
    divided.quotient_count,
    factors_by_operand.factors,
    factors_by_operand.factor_count,
    if(steady_windows.verdict = 'not_steady', steady_windows.range_ratio, null) as unsteady_range_ratio
from points
left join steady_windows on points.point_id = steady_windows.point_id
left join runs on points.point_id = runs.point_id
left join checked on points.point_id = checked.point_id
left join tailed on points.point_id = tailed.point_id
left join counting on points.point_id = counting.point_id
left join risen on points.point_id = risen.point_id
left join divided on points.point_id = divided.point_id
left join factors_by_operand on points.point_id = factors_by_operand.operand_id
order by points.point_id
