with rounds as (

    select * from {{ ref('int_rounds_listed') }}

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'steady_range') as steady_range,
        max(limit_value) filter (where limit_id = 'steady_excursion') as steady_excursion
    from known_limits

),

summarised as (

    select
        source_sha256,
        coalesce(operation, 'all') as operation,
        quantity,
        min(file_id) as file_id,
        min(submission_id) as submission_id,
        min(configuration_id) as configuration_id,
        min(repetition_id) as repetition_id,
        min(sample_count) as sample_count,
        count(*) as round_count,
        avg(round_value order by round_index) as mean_value,
        max(round_value) - min(round_value) as range_value,
        -- the five rounds stand at -2 to 2, so the least-squares slope is the sum of position times value over 10
        sum((round_index - 3) * round_value order by round_index) / 10 as slope_value
    from rounds
    group by source_sha256, operation, quantity

),

final as (

    select
        summarised.* exclude (range_value, slope_value),
        case when round_count = 5 then range_value / mean_value end as range_ratio,
        case when round_count = 5 then 4 * abs(slope_value) / mean_value end as excursion_ratio,
        limits.steady_excursion / (sample_count - 1) as slope_limit_per_sample_ratio,
        -- limits are compared in whole millionths, so that a value on the limit passes
        case
            when round_count = 5 then round(1e6 * range_value / mean_value) <= round(1e6 * limits.steady_range)
        end as is_range_kept,
        case
            when round_count = 5
                then round(4e6 * abs(slope_value) / mean_value) <= round(1e6 * limits.steady_excursion)
        end as is_excursion_kept,
        is_range_kept and is_excursion_kept as is_steady
    from summarised
    cross join limits
    where mean_value > 0

)

select * from final
