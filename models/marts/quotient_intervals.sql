with quotients as (

    select
        *,
        case
            when basis = 'peak' or starts_with(basis, 'queue_depth=') then 'outstanding' else split_part(basis, '=', 1)
        end as load_basis
    from {{ ref('quotients') }}

),

repeats as (

    select * from {{ ref('int_repeats_logged') }}

),

quantiles as (

    select * from {{ ref('known_t_quantiles') }}

),

-- each side is joined on its own, because joining the sides to each other first would pair everything with everything
with_a as materialized (

    select
        quotients.*,
        a.repetition_count as a_count,
        a.mean_logarithm as a_mean,
        a.variance_of_logarithms / a.repetition_count as a_variance
    from quotients
    inner join repeats as a
        on
            quotients.a_submission_id = a.submission_id
            and quotients.a_configuration_id = a.configuration_id
            and quotients.a_section = a.section
            and quotients.workload_id = a.workload_id
            and quotients.metric = a.metric
            and quotients.a_queue_depth = a.queue_depth
            and quotients.load_basis = a.load_basis

),

paired as (

    select
        with_a.workload_id,
        with_a.load_profile,
        with_a.metric,
        with_a.basis,
        with_a.a_submission_id,
        with_a.a_configuration_id,
        with_a.a_section,
        with_a.a_device,
        with_a.b_submission_id,
        with_a.b_configuration_id,
        with_a.b_section,
        with_a.b_device,
        with_a.quotient_ratio,
        with_a.comparability_grade,
        with_a.comparability_reasons,
        with_a.comparability_waivers,
        with_a.a_count as a_repetition_count,
        b.repetition_count as b_repetition_count,
        with_a.a_mean - b.mean_logarithm as difference,
        with_a.a_variance,
        b.variance_of_logarithms / b.repetition_count as b_variance
    from with_a
    inner join repeats as b
        on
            with_a.b_submission_id = b.submission_id
            and with_a.b_configuration_id = b.configuration_id
            and with_a.b_section = b.section
            and with_a.workload_id = b.workload_id
            and with_a.metric = b.metric
            and with_a.b_queue_depth = b.queue_depth
            and with_a.load_basis = b.load_basis

),

freed as (

    select
        *,
        case when metric = 'latency_mean_seconds' then -difference else difference end as signed_difference,
        sqrt(a_variance + b_variance) as standard_error,
        case
            when least(a_repetition_count, b_repetition_count) < 3 then null
            when a_variance + b_variance = 0 then least(a_repetition_count, b_repetition_count) - 1
            else
                (a_variance + b_variance) ** 2
                / (a_variance ** 2 / (a_repetition_count - 1) + b_variance ** 2 / (b_repetition_count - 1))
        end as degrees_of_freedom
    from paired

),

bounded as (

    select
        freed.*,
        round(exp(signed_difference), 12) as geomean_ratio,
        round(exp(signed_difference - quantile_value * standard_error), 12) as interval_low_ratio,
        round(exp(signed_difference + quantile_value * standard_error), 12) as interval_high_ratio
    from freed
    left join quantiles on least(floor(round(freed.degrees_of_freedom, 6)), 120) = quantiles.degree_count

),

final as (

    select
        * exclude (difference, a_variance, b_variance, signed_difference, standard_error, degrees_of_freedom),
        case
            when interval_low_ratio is null then 'no_interval'
            when interval_low_ratio > 1 then 'a_better'
            when interval_high_ratio < 1 then 'b_better'
            else 'tie'
        end as verdict
    from bounded

)

select * from final
