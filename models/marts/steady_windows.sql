with rounds as (

    select * from {{ ref('int_rounds_windowed') }}

),

-- the last five rounds are the window; those before it tell how far off the first one was, and when it first was steady
series as (

    select
        point_id,
        min(submission_id) as submission_id,
        min(configuration_id) as configuration_id,
        min(workload_id) as workload_id,
        min(queue_depth) as queue_depth,
        count(*) as round_count,
        min(round_index) filter (where round_place > round_count - 5) as window_first,
        max(round_index) as window_last,
        arg_max(mean_value, round_place) as last_mean,
        arg_max(range_ratio, round_place) as range_ratio,
        arg_max(slope_ratio, round_place) as slope_ratio,
        arg_max(is_steady, round_place) as is_steady,
        arg_max(is_broken, round_place) as is_broken,
        arg_min(round_value, round_place) as first_value,
        min(round_index) filter (where is_steady) as first_steady_round
    from rounds
    group by point_id

),

final as (

    select
        point_id,
        submission_id,
        configuration_id,
        workload_id,
        queue_depth,
        round_count,
        window_first,
        window_last,
        case
            when round_count < 5 then 'too_few'
            when is_broken then 'broken'
            when is_steady then 'steady'
            else 'not_steady'
        end as verdict,
        case when not is_broken then last_mean end as mean_value,
        range_ratio,
        slope_ratio,
        first_value / last_mean as first_ratio,
        first_steady_round
    from series

)

select * from final
