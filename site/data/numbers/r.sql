with siblings as (
    select
        repetition_id,
        list({id: result_id, operation: operation} order by operation, result_id) as parts
    from results
    group by repetition_id
    having count(*) between 2 and 12
),

checked as (
    select
        results.result_id,
        list_sort(list(distinct {
            name: check_name, verdict: verdict, effect: effect, value: quantity_value, 'limit': limit_value, unit: unit,
            why: nullif(array_to_string(reasons, '; '), '')
        })) as checks
    from validity_checks as checks
    inner join results using (repetition_id)
    where check_name <> 'percentile support' and coalesce(checks.result_id, results.result_id) = results.result_id
    group by results.result_id
),

-- which claims name a figure: "figure:<id>" among the operands of the claim's formula
claimed as (
    select submission_id, figure_id, list({id: claim_id, verdict: verdict} order by claim_id) as claims
    from (
        select distinct
            submission_id, claim_id, verdict,
            unnest(regexp_extract_all(concat_ws(' ', numerator, denominator), 'figure:([^\s,;()+*/]+)', 1)) as figure_id
        from claims
    )
    group by submission_id, figure_id
),

told as (
    select
        submission_id,
        figure_id,
        {
            section: section, line: line, other: other_locator, note: note, wording: wording_note, low: value_low,
            high: value_high, kind: uncertainty_kind, quantity: quantity
        } as figure
    from figures
),

peaks_stated as (
    select result_id, list({id: peak_id, metric: metric} order by metric) as peaks
    from peaks
    inner join results using (submission_id, configuration_id, section, workload_id)
    where peak_origin = 'stated' and statistic = 'peak'
    group by result_id
)

select
    results.result_id as id, results.submission_id, results.configuration_id, results.section, results.repetition_index,
    source_path, source_pointer, results.source_sha256, origin_path, origin_sha256, origin_pointer, origin_line,
    results.reader_version, results.collector_version, results.edition,
    source_format, results.tool, results.tool_version, results.test_name, results.operation, results.load_profile,
    results.workload_id, results.access_pattern, results.read_ratio, results.block_size_bytes, results.queue_depth,
    results.queue_depth_low, results.queue_depth_high, results.process_count, results.target_count,
    results.outstanding_per_target_count, results.load_basis, results.engine, results.is_direct, results.started_at,
    results.ended_at, started_at_local, ended_at_local, results.tested_on, results.duration_seconds,
    results.ramp_seconds, operation_count, transferred_bytes, results.error_count, operations_per_second,
    throughput_bytes_per_second, operations_basis, throughput_basis, operations_resolution_per_second,
    throughput_resolution_bytes_per_second, operations_sample_min_per_second, operations_sample_max_per_second,
    throughput_sample_min_bytes_per_second, throughput_sample_max_bytes_per_second, sample_count, latency_kind,
    latency_mean_seconds, latency_min_seconds, latency_max_seconds, completion_latency_mean_seconds,
    latency_resolution_seconds, cpu_user_ratio, cpu_system_ratio, results.value_kind, results.statistic,
    results.qualifier, results.unit_basis, results.printed_value, results.printed_low, results.printed_high,
    results.printed_unit, results.printed_text, results.figure_id, results.is_comparable, results.is_bound,
    figure, parts, peaks, checks, claims, kernel,
    case when point_id is not null then {id: point_id, depth: placed.queue_depth, runs: placed.run_count} end as point
from results
left join told using (submission_id, figure_id)
left join siblings using (repetition_id)
left join repetitions_of_points as placed on results.repetition_id = placed.repetition_id and has_value
left join peaks_stated using (result_id)
left join checked using (result_id)
left join claimed using (submission_id, figure_id)
left join kernel_of_runs as runs
    on
        results.file_id = runs.file_id
        and if(contains(source_pointer, '#'), split_part(source_pointer, '#', 1), results.repetition_id) = run
        and not is_partial
order by result_id
