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

-- N / X = c0 + c1 (N - 1) + c2 N (N - 1), each point divided by its own N / X so that errors are relative;
-- as one list in the order of depth, so that each sum comes out the same
ordered as (

    select
        rates.submission_id,
        rates.configuration_id,
        rates.section,
        rates.workload_id,
        rates.load_basis,
        rates.metric,
        list_select(
            list({
                'a': rates.rate_value / rates.queue_depth,
                'b': (rates.queue_depth - 1) * rates.rate_value / rates.queue_depth,
                'c': (rates.queue_depth - 1) * rates.rate_value
            }),
            list_grade_up(list(rates.queue_depth))
        ) as terms
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
    group by
        rates.submission_id,
        rates.configuration_id,
        rates.section,
        rates.workload_id,
        rates.load_basis,
        rates.metric

),

summed as (

    select
        *,
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
        tried.terms,
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
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        metric,
        1 / reach as rate_at_one_value,
        contention / reach as contention_ratio,
        coherency / reach as coherency_ratio,
        list_max(
            list_transform(
                terms,
                lambda term: abs(1 / (reach * term['a'] + contention * term['b'] + coherency * term['c']) - 1)
            )
        ) as largest_error_ratio
    from chosen
    where rank_index = 1

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
