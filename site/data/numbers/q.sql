with sided as (
    select
        *,
        a_submission_id || '/' || a_configuration_id as a_side,
        b_submission_id || '/' || b_configuration_id as b_side
    from quotients
),

forward as (
    select * from sided
    where (a_side, a_section) < (b_side, b_section)
),

-- the same quotient the other way round
turned as (
    select
        quotient_id as turned_id,
        workload_id, metric, basis, a_side as b_side, a_section as b_section, b_side as a_side, b_section as a_section
    from sided
    where (a_side, a_section) > (b_side, b_section)
),

gathered as (
    select
        forward.pair_id,
        min(forward.a_side) as a,
        min(forward.b_side) as b,
        min(forward.comparability_grade) as grade,
        max(forward.comparability_grade) as worst,
        min(forward.evidence) as evidence,
        min(least(forward.a_repetition_count, forward.b_repetition_count)) as runs_low,
        max(greatest(forward.a_repetition_count, forward.b_repetition_count)) as runs_high,
        list(
            [
                forward.workload_id, forward.metric, forward.basis, forward.quotient_id, turned.turned_id,
                nullif(forward.a_section, 'tool output'), nullif(forward.b_section, 'tool output'),
                a.operand_id, b.operand_id, forward.verdict, forward.comparability_grade, forward.uncertainty_kind
            ] order by forward.workload_id, forward.metric, forward.a_section, forward.b_section,
                forward.basis = 'peak' desc, forward.basis = 'low_depth' desc, forward.queue_depth, forward.basis
        ) as words,
        list(
            [
                forward.a_value, forward.b_value, forward.quotient_ratio, forward.low_ratio, forward.high_ratio,
                forward.decimal_count
            ] order by forward.workload_id, forward.metric, forward.a_section, forward.b_section,
                forward.basis = 'peak' desc, forward.basis = 'low_depth' desc, forward.queue_depth, forward.basis
        ) as numbers
    from forward
    left join turned using (workload_id, metric, basis, a_side, a_section, b_side, b_section)
    left join operands_of_quotients as a
        on
            forward.a_submission_id = a.submission_id
            and forward.a_configuration_id = a.configuration_id
            and forward.a_section = a.section
            and forward.workload_id = a.workload_id
            and forward.basis = a.basis
            and coalesce(a.metric, forward.metric) = forward.metric
    left join operands_of_quotients as b
        on
            forward.b_submission_id = b.submission_id
            and forward.b_configuration_id = b.configuration_id
            and forward.b_section = b.section
            and forward.workload_id = b.workload_id
            and forward.basis = b.basis
            and coalesce(b.metric, forward.metric) = forward.metric
    group by forward.pair_id
),

differing as (
    select
        pair_id,
        list({label: label, effect: effect, a: a_value, b: b_value} order by effect desc, label)
            filter (where state = 'differs') as differences,
        list(label order by label) filter (where state = 'unknown') as unknown
    from (
        select
            left(md5(a || ' ' || b), 16) as pair_id,
            label, state, effect,
            if(is_turned, b_value, a_value) as a_value,
            if(is_turned, a_value, b_value) as b_value
        from (
            select
                *,
                a_submission_id || '/' || a_configuration_id > b_submission_id || '/' || b_configuration_id as is_turned,
                least(a_submission_id || '/' || a_configuration_id, b_submission_id || '/' || b_configuration_id) as a,
                greatest(a_submission_id || '/' || a_configuration_id, b_submission_id || '/' || b_configuration_id) as b
            from configuration_differences
            where state in ('differs', 'unknown') and effect in ('A', 'B', 'C', 'X')
        )
        qualify row_number() over (partition by pair_id, label order by is_turned) = 1
    )
    group by pair_id
),

refused as (
    select
        left(md5(least(a, b) || ' ' || greatest(a, b)), 16) as pair_id,
        list(
            {
                reason: reason, words: words, loads: loads, count: load_count
            } order by reason, words, loads
        ) as refused
    from (
        select
            a_submission_id || '/' || a_configuration_id as a,
            b_submission_id || '/' || b_configuration_id as b,
            reason,
            coalesce(reason_words, used_instead) as words,
            string_agg(distinct load_profile, '; ' order by load_profile) as loads,
            sum(load_count) as load_count
        from excluded_pairs
        where b_submission_id is not null
        group by all
    )
    group by pair_id
)

select
    gathered.pair_id as id,
    gathered.* exclude (pair_id),
    differing.differences,
    differing.unknown,
    refused.refused
from gathered
left join differing on gathered.pair_id = differing.pair_id
left join refused on gathered.pair_id = refused.pair_id
order by gathered.pair_id
