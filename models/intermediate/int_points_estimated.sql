{{ config(materialized='table') }}

with placed as not materialized (

    select * from {{ ref('int_repetitions_placed') }}

),

figures as (

    select * from {{ ref('int_figures_admitted') }}

),

reservations as (

    select * from {{ ref('int_reservations_matched') }}
    where effect = 'X'

),

-- what a manifest excludes
excluded as (

    select distinct placed.point_id
    from placed
    inner join reservations on placed.repetition_id = reservations.repetition_id
    where not placed.is_bound

),

described as (

    select
        placed.point_id,
        min(placed.submission_id) as submission_id,
        min(placed.configuration_id) as configuration_id,
        min(placed.section) as section,
        min(placed.workload_id) as workload_id,
        min(placed.load_basis) as load_basis,
        min(placed.queue_depth) as queue_depth,
        min(placed.queue_depth_per_drive) as queue_depth_per_drive,
        {% for column in [
            'process_count', 'target_count', 'engine', 'is_direct', 'tool', 'tool_version', 'latency_kind',
        ] %}
            case when min(placed.{{ column }}) = max(placed.{{ column }}) then min(placed.{{ column }}) end
                as {{ column }},
        {% endfor %}
        bool_or(excluded.point_id is not null) as is_excluded
    from placed
    left join excluded on placed.point_id = excluded.point_id
    group by placed.point_id

),

joined as (

    select
        placed.*,
        coalesce(placed.throughput_bytes_per_second, figures.throughput_as_printed) as throughput_as_printed,
        figures.low_half as printed_low_half,
        figures.high_half as printed_high_half
    from placed
    left join figures
        on placed.submission_id = figures.submission_id and placed.figure_id = figures.figure_id

),

unpivoted as (

    select
        point_id,
        repetition_id,
        repetition_order,
        session_index,
        started_at,
        is_bound,
        value_kind,
        unit_basis,
        printed_low_half,
        printed_high_half,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
        unnest([
            operations_per_second, throughput_as_printed, latency_mean_seconds
        ]) as point_value,
        unnest([
            operations_resolution_per_second, throughput_resolution_bytes_per_second, latency_resolution_seconds
        ]) / 2 as half_step
    from joined

),

-- asked for twice, because it costs next to nothing, and to keep it costs a quarter of this model
repetitions as not materialized (

    select
        * exclude (printed_low_half, printed_high_half, half_step),
        case when is_bound then value_kind else 'value' end as figure_kind,
        coalesce(
            printed_low_half,
            case
                when half_step >= point_value then cast('infinity' as double) else -ln(1 - half_step / point_value)
            end
        ) as low_half,
        coalesce(printed_high_half, ln(1 + half_step / point_value)) as high_half
    from unpivoted
    where point_value > 0

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
        len(repetition_values) as run_count,
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
        described.*,
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
        run_count,
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
    inner join described on bounded.point_id = described.point_id

)

select * from final
