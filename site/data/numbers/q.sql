-- one row per pair of configurations: its comparisons, its conditions by operation, what differs, and what is excluded
with compared as (
    select
        pair_id,
        list(
            struct_pack(
                comparison_id, workload_id, queue_depth, metric, operation, a_point_id, b_point_id, a_value, b_value,
                a_run_count, b_run_count, a_session_count, b_session_count, a_section := nullif(a_section, 'tool output'),
                b_section := nullif(b_section, 'tool output'), ratio, ratio_low, ratio_high, ratio_interval_kind, verdict,
                reason, tolerated_spread_ratio, choice_count, choice_ratio_low, choice_ratio_high
            ) order by load_profile, workload_id, metric desc, queue_depth nulls first, comparison_id
        ) as comparisons
    from quotients
    where not is_mirrored
    group by pair_id
),

conditions as (
    select
        pair_id,
        min(a_submission_id) || '/' || min(a_configuration_id) as a,
        min(b_submission_id) || '/' || min(b_configuration_id) as b,
        list(
            {
                operation: operation, question: question, evidence: evidence, condition_count: condition_count,
                equal_count: equal_count, differing_columns: differing_columns, unknown_keys: unknown_keys,
                unknown_count: unknown_count
            } order by operation
        ) as conditions
    from pairs
    group by pair_id
),

differing as (
    select
        pair_id,
        list(
            {
                label: substr(column_name, strpos(column_name, if(contains(column_name, ' '), ' ', '.')) + 1),
                a: a_value, b: b_value
            } order by column_name
        ) as differences
    from differences
    group by pair_id
),

refused as (
    select
        pair_id,
        list(
            {
                reason: reason, columns: reason_columns, count: load_count, load: load_profile,
                depth: example_queue_depth
            } order by reason, reason_columns
        ) as refused
    from excluded_loads
    inner join workloads on example_workload_id = workload_id
    group by pair_id
)

select pair_id as id, a, b, conditions.conditions, comparisons, differences, refused.refused
from compared
inner join conditions using (pair_id)
left join differing using (pair_id)
left join refused using (pair_id)
order by pair_id
