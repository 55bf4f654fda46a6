with repeated as (

    select * from {{ ref('int_repeats_logged') }}

),

quantiles as (

    select * from {{ ref('known_t_quantiles') }}

),

final as (

    select
        repeated.* exclude (mean_logarithm, variance_of_logarithms),
        round(exp(mean_logarithm), 12) as geomean_value,
        case when repetition_count >= 3 then round(sqrt(variance_of_logarithms), 12) end as variation_ratio,
        case
            when repetition_count >= 3
                then
                    round(
                        exp(mean_logarithm - quantile_value * sqrt(variance_of_logarithms / repetition_count)), 12
                    )
        end as interval_low,
        case
            when repetition_count >= 3
                then
                    round(
                        exp(mean_logarithm + quantile_value * sqrt(variance_of_logarithms / repetition_count)), 12
                    )
        end as interval_high
    from repeated
    left join quantiles on least(repeated.repetition_count - 1, 120) = quantiles.degree_count

)

select * from final
