-- what a point or a peak is held against: of each other device the comparison that stands best, four of them, and how many;
-- one without a quotient, because a side is a bound, comes after those with one
with chosen as (
    select
        a_submission_id as submission_id,
        a_configuration_id as configuration_id,
        a_section as section,
        workload_id,
        basis,
        case when basis = 'peak' then metric end as metric,
        metric as measured,
        coalesce(b_device, b_configuration_id) as other,
        pair_id,
        quotient_id,
        quotient_ratio,
        nullif(low_ratio, 0) as low_ratio,
        high_ratio,
        comparability_grade,
        evidence
    from quotients
),

counted as (
    select
        *,
        count(*) over side as quotient_count,
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id, basis, metric, other
            order by
                quotient_ratio is null, measured <> 'operations_per_second', comparability_grade, evidence desc,
                quotient_id
        ) as place
    from chosen
    window side as (partition by submission_id, configuration_id, section, workload_id, basis, metric)
),

ranked as (
    select
        *,
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id, basis, metric
            order by quotient_ratio is null, comparability_grade, evidence desc, other, quotient_id
        ) as rank_index
    from counted
    where place = 1
)

select
    submission_id, configuration_id, section, workload_id, basis, metric,
    any_value(quotient_count) as quotient_count,
    list(
        {
            pair: pair_id, id: quotient_id, other: other, ratio: quotient_ratio, low: low_ratio, high: high_ratio,
            grade: comparability_grade, measured: measured
        } order by rank_index
    ) as quotients
from ranked
where rank_index <= 4
group by submission_id, configuration_id, section, workload_id, basis, metric
