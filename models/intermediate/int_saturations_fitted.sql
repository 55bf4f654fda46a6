with rates as (

    select * from {{ ref('int_rates_unpivoted') }}

),

series as (

    select * from {{ ref('int_series_found') }}

),

candidates as (

    -- IOPS where they were measured: at one block size throughput is the same curve in another unit
    select
        *,
        case when depth_count < 4 then 'too_few_points' end as obstacle,
        row_number() over (
            order by submission_id, configuration_id, section, workload_id, load_basis
        ) as sweep_index
    from series
    qualify
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id, load_basis
            order by metric
        ) = 1

),

sharpnesses as (

    -- from a long bend to a sharp corner, in steps of the square root of two
    select unnest([0.5, sqrt(0.5), 1, sqrt(2), 2, sqrt(8), 4, sqrt(32), 8]) as sharpness

),

-- the points of a sweep as one list in the order of depth, so that each sum comes out the same
ordered as (

    select
        candidates.sweep_index,
        list_select(
            list({
                'queue_depth': rates.queue_depth, 'rate_ratio': rates.rate_value / candidates.peak_value
            }),
            list_grade_up(list(rates.queue_depth))
        ) as points
    from rates
    inner join candidates
        on
            rates.submission_id = candidates.submission_id
            and rates.configuration_id = candidates.configuration_id
            and rates.section = candidates.section
            and rates.workload_id = candidates.workload_id
            and rates.load_basis = candidates.load_basis
            and rates.metric = candidates.metric
    where candidates.obstacle is null and rates.rate_value > 0
    group by candidates.sweep_index

),

powered as (

    -- with x for the rate: 1 = rise (x / N)^s + cap x^s, linear in two coefficients, and every point weighs alike
    select
        ordered.sweep_index,
        sharpnesses.sharpness,
        list_transform(
            ordered.points,
            lambda each: {
                'a': pow(each['rate_ratio'] / each['queue_depth'], sharpnesses.sharpness),
                'b': pow(each['rate_ratio'], sharpnesses.sharpness)
            }
        ) as terms
    from ordered
    cross join sharpnesses

),

summed as (

    select
        sweep_index,
        sharpness,
        terms,
        list_sum(list_transform(terms, lambda term: term['a'])) as sum_a,
        list_sum(list_transform(terms, lambda term: term['b'])) as sum_b,
        list_sum(list_transform(terms, lambda term: term['a'] * term['a'])) as sum_aa,
        list_sum(list_transform(terms, lambda term: term['a'] * term['b'])) as sum_ab,
        list_sum(list_transform(terms, lambda term: term['b'] * term['b'])) as sum_bb
    from powered

),

solved as (

    select
        *,
        (sum_a * sum_bb - sum_b * sum_ab) / (sum_aa * sum_bb - sum_ab * sum_ab) as free_rise,
        (sum_aa * sum_b - sum_ab * sum_a) / (sum_aa * sum_bb - sum_ab * sum_ab) as free_cap
    from summed

),

bounded as (

    -- neither coefficient may be negative: where one would be, the other stands alone
    select
        sweep_index,
        sharpness,
        terms,
        case
            when free_rise >= 0 and free_cap >= 0 then free_rise
            when free_rise < 0 then 0
            else sum_a / sum_aa
        end as rise,
        case
            when free_rise >= 0 and free_cap >= 0 then free_cap
            when free_rise < 0 then sum_b / sum_bb
            else 0
        end as cap
    from solved

),

judged as (

    select
        sweep_index,
        sharpness,
        rise,
        cap,
        round(
            list_max(
                list_transform(
                    terms, lambda term: abs(pow(rise * term['a'] + cap * term['b'], -1 / sharpness) - 1)
                )
            ),
            9
        ) as largest_error_ratio
    from bounded

),

chosen as (

    select
        *,
        -- 0 to a negative power is infinite: without that term there is no such number
        case when rise > 0 then pow(rise, -1 / sharpness) end as slope_ratio,
        case when cap > 0 then pow(cap, -1 / sharpness) end as ceiling_ratio
    from judged
    qualify
        row_number() over (
            partition by sweep_index
            order by largest_error_ratio asc, abs(ln(sharpness)) asc, sharpness asc
        ) = 1

),

fitted as (

    select
        candidates.*,
        chosen.largest_error_ratio,
        chosen.sharpness,
        chosen.slope_ratio,
        case when chosen.ceiling_ratio <= 2 then chosen.ceiling_ratio end as ceiling_ratio,
        coalesce(
            candidates.obstacle, case when chosen.largest_error_ratio <= 0.15 then 'fitted' else 'error_too_large' end
        ) as fit_verdict
    from candidates
    left join chosen on candidates.sweep_index = chosen.sweep_index

),

final as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        load_basis,
        metric,
        device_id,
        device,
        depth_count,
        queue_depth_high,
        peak_value,
        fit_verdict as verdict,
        largest_error_ratio,
        case when fit_verdict = 'fitted' then round(slope_ratio * peak_value, 6) end as slope_value,
        case when fit_verdict = 'fitted' then round(ceiling_ratio * peak_value, 6) end as ceiling_value,
        case
            when fit_verdict = 'fitted' and slope_ratio is not null and ceiling_ratio is not null
                then round(sharpness, 9)
        end as sharpness_value,
        case when fit_verdict = 'fitted' then round(ceiling_ratio / slope_ratio, 3) end as queue_depth_corner
    from fitted

)

select * from final
