with rates as (

    select * from {{ ref('int_rates_unpivoted') }}

),

series as (

    select * from {{ ref('int_series_found') }}

),

candidates as (

    select
        *,
        case
            when depth_count < 6 then 'too_few_points'
            when queue_depth_low > 1 then 'no_point_at_one'
            when not is_monotonic then 'not_monotonic'
        end as obstacle
    from series

),

weighted as (

    -- N / X = c0 + c1 (N - 1) + c2 N (N - 1), each point divided by its own N / X so that errors are relative
    select
        rates.*,
        rates.rate_value / rates.queue_depth as reach,
        (rates.queue_depth - 1) * rates.rate_value / rates.queue_depth as contention,
        (rates.queue_depth - 1) * rates.rate_value as coherency
    from rates
    inner join candidates
        on
            rates.submission_id = candidates.submission_id
            and rates.configuration_id = candidates.configuration_id
            and rates.section = candidates.section
            and rates.workload_id = candidates.workload_id
            and rates.load_basis = candidates.load_basis
            and rates.metric = candidates.metric
    where candidates.obstacle is null

),

-- in one order, so that each sum comes out the same
ordered as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        metric,
        list({ 'a': reach, 'b': contention, 'c': coherency } order by queue_depth) as terms
    from weighted
    group by
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        metric

),

summed as (

    select
        * exclude (terms),
        list_sum(list_transform(terms, lambda term: term['a'])) as sum_a,
        list_sum(list_transform(terms, lambda term: term['b'])) as sum_b,
        list_sum(list_transform(terms, lambda term: term['c'])) as sum_c,
        list_sum(list_transform(terms, lambda term: term['a'] * term['a'])) as sum_aa,
        list_sum(list_transform(terms, lambda term: term['a'] * term['b'])) as sum_ab,
        list_sum(list_transform(terms, lambda term: term['a'] * term['c'])) as sum_ac,
        list_sum(list_transform(terms, lambda term: term['b'] * term['b'])) as sum_bb,
        list_sum(list_transform(terms, lambda term: term['b'] * term['c'])) as sum_bc,
        list_sum(list_transform(terms, lambda term: term['c'] * term['c'])) as sum_cc
    from ordered

),

solved as (

    select
        *,
        sum_aa * (sum_bb * sum_cc - sum_bc * sum_bc)
        - sum_ab * (sum_ab * sum_cc - sum_bc * sum_ac)
        + sum_ac * (sum_ab * sum_bc - sum_bb * sum_ac) as determinant,
        sum_aa * sum_bb - sum_ab * sum_ab as determinant_ab,
        sum_aa * sum_cc - sum_ac * sum_ac as determinant_ac
    from summed

),

tried as (

    -- all four sets of terms; the best of those without a negative coefficient is the bounded solution
    select
        *,
        unnest([
            {
                'reach': (
                    sum_a * (sum_bb * sum_cc - sum_bc * sum_bc)
                    - sum_ab * (sum_b * sum_cc - sum_bc * sum_c)
                    + sum_ac * (sum_b * sum_bc - sum_bb * sum_c)
                ) / determinant,
                'contention': (
                    sum_aa * (sum_b * sum_cc - sum_bc * sum_c)
                    - sum_a * (sum_ab * sum_cc - sum_bc * sum_ac)
                    + sum_ac * (sum_ab * sum_c - sum_b * sum_ac)
                ) / determinant,
                'coherency': (
                    sum_aa * (sum_bb * sum_c - sum_b * sum_bc)
                    - sum_ab * (sum_ab * sum_c - sum_b * sum_ac)
                    + sum_a * (sum_ab * sum_bc - sum_bb * sum_ac)
                ) / determinant
            },
            {
                'reach': (sum_a * sum_bb - sum_b * sum_ab) / determinant_ab,
                'contention': (sum_aa * sum_b - sum_ab * sum_a) / determinant_ab,
                'coherency': 0
            },
            {
                'reach': (sum_a * sum_cc - sum_c * sum_ac) / determinant_ac,
                'contention': 0,
                'coherency': (sum_aa * sum_c - sum_ac * sum_a) / determinant_ac
            },
            { 'reach': sum_a / sum_aa, 'contention': 0, 'coherency': 0 }
        ]) as fit
    from solved

),

named as (

    select
        tried.submission_id,
        tried.configuration_id,
        tried.section,
        tried.workload_id,
        tried.load_basis,
        tried.metric,
        fit.reach,
        fit.contention,
        fit.coherency,
        fit.reach * tried.sum_a + fit.contention * tried.sum_b + fit.coherency * tried.sum_c as explained
    from tried

),

chosen as (

    select
        *,
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id, load_basis, metric
            order by explained desc, coherency asc, contention asc
        ) as rank_index
    from named
    where reach > 0 and contention >= 0 and coherency >= 0 and isfinite(explained)

),

judged as (

    select
        chosen.submission_id,
        chosen.configuration_id,
        chosen.section,
        chosen.workload_id,
        chosen.load_basis,
        chosen.metric,
        min(1 / chosen.reach) as rate_at_one_value,
        min(chosen.contention / chosen.reach) as contention_ratio,
        min(chosen.coherency / chosen.reach) as coherency_ratio,
        max(
            abs(
                1
                / (
                    chosen.reach * weighted.reach
                    + chosen.contention * weighted.contention
                    + chosen.coherency * weighted.coherency
                )
                - 1
            )
        ) as largest_error_ratio
    from chosen
    inner join weighted
        on
            chosen.submission_id = weighted.submission_id
            and chosen.configuration_id = weighted.configuration_id
            and chosen.section = weighted.section
            and chosen.workload_id = weighted.workload_id
            and chosen.load_basis = weighted.load_basis
            and chosen.metric = weighted.metric
    where chosen.rank_index = 1
    group by
        chosen.submission_id,
        chosen.configuration_id,
        chosen.section,
        chosen.workload_id,
        chosen.load_basis,
        chosen.metric

),

final as (

    select
        candidates.submission_id,
        candidates.configuration_id,
        candidates.section,
        candidates.workload_id,
        candidates.load_basis,
        candidates.metric,
        candidates.load_profile,
        candidates.device_id,
        candidates.device,
        candidates.depth_count,
        candidates.queue_depth_high,
        coalesce(
            candidates.obstacle, case when judged.largest_error_ratio <= 0.15 then 'fitted' else 'error_too_large' end
        ) as verdict,
        round(judged.largest_error_ratio, 9) as largest_error_ratio,
        case when judged.largest_error_ratio <= 0.15 then round(judged.rate_at_one_value, 6) end as rate_at_one_value,
        case when judged.largest_error_ratio <= 0.15 then round(judged.contention_ratio, 9) end as contention_ratio,
        case when judged.largest_error_ratio <= 0.15 then round(judged.coherency_ratio, 9) end as coherency_ratio,
        case
            when
                judged.largest_error_ratio <= 0.15
                and judged.contention_ratio < 1
                and (1 - judged.contention_ratio) <= 4 * candidates.queue_depth_high ** 2 * judged.coherency_ratio
                then round(sqrt((1 - judged.contention_ratio) / judged.coherency_ratio), 3)
        end as queue_depth_peak_value
    from candidates
    left join judged
        on
            candidates.submission_id = judged.submission_id
            and candidates.configuration_id = judged.configuration_id
            and candidates.section = judged.section
            and candidates.workload_id = judged.workload_id
            and candidates.load_basis = judged.load_basis
            and candidates.metric = judged.metric

)

select * from final
