with checked as (
    select
        results.result_id,
        list_sort(list(distinct {
            name: check_name, verdict: verdict, effect: effect, value: quantity_value, unit: unit,
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

printed as (
    select
        submission_id, figure_id,
        {
            section: section, line: line, other: other_locator, low: value_low, high: value_high, kind: uncertainty_kind
        } as figure
    from figures
)

select
    result_id as id, results.submission_id, configuration_id, section, source_path, source_pointer, source_sha256,
    origin_path, origin_sha256, origin_line, reader_version, collector_version, edition, source_format, tool,
    tool_version, test_name, operation, load_profile, workload_id, access_pattern, read_ratio, block_size_bytes,
    results.queue_depth, queue_depth_low, queue_depth_high, process_count, load_basis, engine, is_direct, started_at,
    ended_at, started_at_local, ended_at_local, tested_on, duration_seconds, ramp_seconds, operation_count,
    transferred_bytes, operations_per_second, throughput_bytes_per_second, latency_kind, latency_mean_seconds,
    cpu_user_ratio, cpu_system_ratio, value_kind, qualifier, unit_basis, printed_value, printed_unit, printed_text,
    figure_id, is_comparable, is_bound, figure, checks, claims, kernel,
    case when point_id is not null then {id: point_id} end as point
from results
left join printed using (submission_id, figure_id)
left join repetitions_of_points as placed on results.repetition_id = placed.repetition_id and has_value
left join checked using (result_id)
left join claimed using (submission_id, figure_id)
left join kernel_of_runs as runs
    on
        results.file_id = runs.file_id
        and if(contains(source_pointer, '#'), split_part(source_pointer, '#', 1), results.repetition_id) = run
        and not is_partial
order by result_id
