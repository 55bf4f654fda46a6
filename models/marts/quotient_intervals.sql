with quotients as (

    select * from {{ ref('quotients') }}

),

repeats as (

    select * from {{ ref('int_repeats_logged') }}

),

quantiles as (

    select * from {{ ref('known_t_quantiles') }}

),

paired as (

    select
        quotients.load_profile_id,
        quotients.load_profile,
        quotients.metric,
        quotients.basis,
        quotients.a_submission_id,
        quotients.a_configuration_id,
        quotients.a_section,
        quotients.a_device,
        quotients.b_submission_id,
        quotients.b_configuration_id,
        quotients.b_section,
        quotients.b_device,
        quotients.quotient_ratio,
        quotients.comparability_grade,
        a.repetition_count as a_repetition_count,
        b.repetition_count as b_repetition_count,
        a.mean_logarithm - b.mean_logarithm as difference,
        a.variance_of_logarithms / a.repetition_count as a_variance,
        b.variance_of_logarithms / b.repetition_count as b_variance
    from quotients
    {% for side in ['a', 'b'] %}
        inner join repeats as {{ side }}
            on
                quotients.{{ side }}_submission_id = {{ side }}.submission_id
                and quotients.{{ side }}_configuration_id = {{ side }}.configuration_id
                and quotients.{{ side }}_section = {{ side }}.section
                and quotients.load_profile_id = {{ side }}.load_profile_id
                and quotients.metric = {{ side }}.metric
                and quotients.{{ side }}_queue_depth = {{ side }}.queue_depth
    {% endfor %}

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
