-- The pair that the page opens with: two generations of one drive that readers ask for by name, or else an Optane drive and a
-- NAND drive. Of several, the two devices with three runs or more, the most similar conditions, the most verdicts and the most
-- workloads.
with conditions as (
    select columns(lambda name: not regexp_matches(name, '^[ab]_|^load')) from pairs
),

chosen as (
    select a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
    from quotients
    inner join conditions using (pair_id, operation)
    where question = 'device' and ratio is not null
    group by all
    order by
        any_value(a_device_id) = 'samsung-990-pro-2tb' and any_value(b_device_id) = 'samsung-980-pro-1tb' desc,
        any_value(a_media_class) = 'ssd_optane'
        and any_value(b_media_class) in ('ssd_nvme', 'ssd_pcie', 'ssd_sas', 'ssd_sata') desc,
        least(min(least(a_run_count, b_run_count)), 3) desc, max(differing_count),
        count(*) filter (where verdict = 'A faster') desc, count(*) filter (where ratio > 1) desc,
        count(*) desc, median(ratio) desc,
        a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
    limit 1
),

differing as (
    select
        pair_id,
        list({
            label: substr(column_name, strpos(column_name, if(contains(column_name, ' '), ' ', '.')) + 1),
            a: a_value, b: b_value
        } order by column_name) as differences
    from differences
    group by pair_id
),

refused as (
    select
        pair_id,
        list({reason: reason, columns: reason_columns, load: load_profile, count: load_count} order by reason, reason_columns)
            as excluded
    from excluded_loads
    inner join workloads on example_workload_id = workload_id
    group by pair_id
)

select
    pair_id, comparison_id, workload_id, load_profile, operation, metric, queue_depth, a_submission_id, a_configuration_id,
    a_section, a_device, a_device_id, a_value, a_run_count, a_session_count, b_submission_id, b_configuration_id, b_section,
    b_device, b_device_id, b_value, b_run_count, b_session_count, ratio, ratio_low, ratio_high, ratio_interval_kind, verdict,
    reason, tolerated_spread_ratio, choice_count, choice_ratio_low, choice_ratio_high, question, evidence, condition_count,
    equal_count, differing_columns, unknown_keys, unknown_count, is_mirrored,
    if(row_number() over (order by comparison_id) = 1, differences, null) as differences,
    if(row_number() over (order by comparison_id) = 1, excluded, null) as excluded
from quotients
inner join chosen using (a_submission_id, a_configuration_id, b_submission_id, b_configuration_id)
inner join conditions using (pair_id, operation)
left join differing using (pair_id)
left join refused using (pair_id)
order by load_profile, metric, queue_depth nulls first, comparison_id
