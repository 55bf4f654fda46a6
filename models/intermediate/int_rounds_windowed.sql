{{ config(materialized='table') }}

with results as (

    select * from {{ source('raw', 'results') }}

),

loaded as (

    select * from {{ ref('int_results_loaded') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'steady_range') as steady_range,
        max(limit_value) filter (where limit_id = 'steady_excursion') as steady_excursion
    from {{ ref('known_limits') }}

),

-- reads and writes of a run are one round
rounds as (

    select
        results.repetition_id,
        min(results.submission_id) as submission_id,
        min(results.configuration_id) as configuration_id,
        min(results.round_index) as round_index,
        min(loaded.workload_id) as workload_id,
        case when min(results.load_basis) = 'outstanding_per_drive' then 'outstanding' else min(results.load_basis) end
            as load_basis,
        min(results.queue_depth) as queue_depth,
        min(results.process_count) as process_count,
        min(
            coalesce(
                results.started_at,
                results.ended_at - to_microseconds(cast(1e6 * results.duration_seconds as bigint))
            )
        ) as started_at,
        max(results.ended_at) as ended_at,
        sum(results.operation_count) / max(results.duration_seconds) as round_value
    from results
    inner join loaded on results.result_id = loaded.result_id
    where
        results.round_index is not null
        and results.outcome = 'ok'
        and not results.is_partial
        and loaded.is_whole_load
        and loaded.workload_id is not null
        and results.queue_depth is not null
    group by results.repetition_id

),

placed as (

    select
        *,
        case when process_count > 1 then concat('tool output, ', process_count, ' processes') else 'tool output' end
            as section,
        left(
            md5(
                concat_ws(
                    ' ',
                    submission_id,
                    configuration_id,
                    section,
                    workload_id,
                    coalesce(load_basis, 'outstanding'),
                    queue_depth
                )
            ),
            16
        ) as point_id
    from rounds

),

ordered as (

    select
        *,
        row_number() over series as round_place,
        count(*) over (partition by point_id) as round_count,
        {% for back in [1, 2, 3, 4] %}
            lag(round_value, {{ back }}) over series as value_{{ back }},
        {% endfor %}
        coalesce(
            started_at < lag(started_at) over series
            or started_at - lag(ended_at) over series >= interval 30 minutes,
            false
        ) as is_after_break
    from placed
    window series as (partition by point_id order by round_index, repetition_id)

),

measured as (

    select
        *,
        (coalesce(value_4, 0) + coalesce(value_3, 0) + coalesce(value_2, 0) + coalesce(value_1, 0) + round_value)
        / least(round_place, 5) as mean_value,
        (
            greatest(round_value, value_1, value_2, value_3, value_4)
            - least(round_value, value_1, value_2, value_3, value_4)
        )
        / mean_value as range_ratio,
        -- five rounds are at -2 to 2, so the least-squares slope is the sum of position times value over 10
        case
            when round_place >= 5
                then 4 * abs(2 * round_value + value_1 - value_3 - 2 * value_4) / 10 / mean_value
        end as slope_ratio,
        bool_or(is_after_break) over (
            partition by point_id order by round_place rows between 3 preceding and current row
        ) as is_broken
    from ordered

),

final as (

    select
        measured.* exclude (value_1, value_2, value_3, value_4, is_after_break),
        -- limits are compared in whole millionths, so that a value on the limit passes
        coalesce(
            round(1e6 * range_ratio) <= round(1e6 * limits.steady_range)
            and round(1e6 * slope_ratio) <= round(1e6 * limits.steady_excursion),
            false
        ) as is_steady,
        round_place > round_count - 5 and (
            round_count < 5 or not bool_or(is_broken and round_place = round_count) over (partition by point_id)
        ) as is_in_window
    from measured
    cross join limits

)

select * from final
