{{ config(materialized='table') }}

-- asked for twice, because it costs next to nothing, and to keep it costs a quarter of this model
with repetitions as not materialized (

    select
        *,
        case when is_bound then value_kind else 'value' end as figure_kind
    from {{ ref('int_repetitions_unpivoted') }}

),

grouped as (

    select
        point_id,
        metric,
        figure_kind,
        -- lists are sorted, and not what goes into them, because an ordered aggregate costs twice as much and more
        list_select(list(point_value), list_grade_up(list(repetition_order))) as repetition_values,
        -- few to a list, where a count of different ones would ask for everything twice
        len(list_distinct(list(session_index))) as session_count,
        min(started_at) as first_started_at,
        max(started_at) as last_started_at,
        min(point_value) as lowest_value,
        max(point_value) as highest_value,
        list_avg(list_sort(list(low_half))) as low_half,
        list_avg(list_sort(list(high_half))) as high_half,
        min(value_kind) as value_kind,
        max(unit_basis) as unit_basis
    from repetitions
    group by point_id, metric, figure_kind

),

chosen as (

    -- a bound says nothing beside a value, and of several bounds the narrowest holds
    select
        * replace (
            case figure_kind
                when 'lower_bound' then [highest_value]
                when 'upper_bound' then [lowest_value]
                else repetition_values
            end as repetition_values
        )
    from grouped
    qualify row_number() over (partition by point_id, metric order by figure_kind = 'value' desc, figure_kind asc) = 1

),

session_means as (

    select
        point_id,
        metric,
        session_index,
        exp(avg(ln(point_value) order by point_value)) as session_value
    from repetitions
    semi join chosen
        on
            repetitions.point_id = chosen.point_id
            and repetitions.metric = chosen.metric
            and chosen.session_count >= 3
    where not is_bound
    group by point_id, metric, session_index

),

sessions as (

    select
        point_id,
        metric,
        list(session_value order by session_index) as session_values
    from session_means
    group by point_id, metric

),

logged as (

    select
        chosen.*,
        coalesce(sessions.session_values, chosen.repetition_values) as unit_values,
        list_transform(coalesce(sessions.session_values, chosen.repetition_values), lambda each: ln(each))
            as logarithms,
        list_transform(chosen.repetition_values, lambda each: ln(each)) as repetition_logarithms
    from chosen
    left join sessions on chosen.point_id = sessions.point_id and chosen.metric = sessions.metric

),

measured as (

    select
        *,
        len(unit_values) as n,
        len(repetition_values) as repetition_count,
        list_aggregate(repetition_values, 'median') as median_value,
        list_avg(logarithms) as mean_logarithm,
        case when len(logarithms) >= 3 then list_var_samp(logarithms) end as log_variance,
        list_aggregate(repetition_logarithms, 'median') as median_logarithm,
        -- 1.4826 makes the median distance from the median a standard deviation, where values scatter normally
        3.5 * 1.4826 * list_aggregate(repetition_logarithms, 'mad') as outlier_distance
    from logged

),

bounded as (

    select
        *,
        estimated(n, mean_logarithm, log_variance, low_half, high_half) as estimate
    from measured

),

final as (

    select
        point_id,
        metric,
        case when lowest_value = highest_value then lowest_value else estimate['value'] end as point_value,
        estimate['low'] as low,
        estimate['high'] as high,
        case
            when estimate['low'] is null and estimate['high'] is null then 'none'
            else
                concat_ws(
                    '+',
                    case when isinf(low_half) or isinf(high_half) then 'bound' end,
                    case when log_variance is not null and session_count < 3 then 'repetitions' end,
                    case
                        when (low_half > 0 and not isinf(low_half)) or (high_half > 0 and not isinf(high_half))
                            then 'rounding'
                    end,
                    case when log_variance is not null and session_count >= 3 then 'sessions' end
                )
        end as kind,
        n,
        repetition_count,
        session_count,
        mean_logarithm,
        log_variance,
        low_half,
        high_half,
        unit_values,
        median_value,
        lowest_value,
        highest_value,
        case
            when outlier_distance > 0
                then
                    len(
                        list_filter(
                            repetition_logarithms, lambda each: abs(each - median_logarithm) > outlier_distance
                        )
                    )
            else 0
        end as outlier_count,
        first_started_at,
        last_started_at,
        value_kind,
        unit_basis
    from bounded

)

select * from final
