{{ config(materialized='table') }}

with repetitions as (

    select * from {{ ref('int_repetitions_placed') }}
    where not is_bound

),

checks as (

    select * from {{ ref('validity_checks') }}

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'generator_bound') as generator_bound,
        max(limit_value) filter (where limit_id = 'generator_near') as generator_near,
        max(limit_value) filter (where limit_id = 'depth_nearly_reached') as depth_nearly_reached
    from known_limits

),

matched as (

    select
        repetitions.submission_id,
        repetitions.configuration_id,
        repetitions.section,
        repetitions.workload_id,
        repetitions.load_basis,
        repetitions.queue_depth,
        checks.metric,
        checks.check_name,
        checks.quantity_value,
        checks.verdict,
        checks.effect,
        checks.is_lower_bound
    from repetitions
    inner join checks on repetitions.repetition_id = checks.repetition_id
    where
        (checks.effect is not null or checks.check_name in ('generator', 'depth'))
        and checks.metric is distinct from 'latency_percentile_seconds'

),

gathered as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        queue_depth,
        -- of these two the median run speaks for the point
        median(quantity_value) filter (where check_name = 'generator') as processor_ratio,
        max(quantity_value) filter (where check_name = 'generator') as highest_processor_ratio,
        count(*) filter (where check_name = 'generator' and quantity_value is null) as unknown_count,
        median(quantity_value) filter (where check_name = 'depth') as achieved_depth_ratio,
        -- of all others one run is enough; their words are few, and distinct aggregates would group all runs again
        {% for column, condition in [
            ('reservations', "effect in ('B', 'C') and check_name <> 'generator'"),
            ('doubts', "effect = 'C'"),
            ('exclusions', "effect = 'X' and check_name <> 'depth' and metric is null"),
            ('latency_exclusions', "effect = 'X' and metric = 'latency_mean_seconds'"),
        ] %}
            coalesce(list_sort(list_distinct(list(verdict) filter (where {{ condition }}))), []) as {{ column }},
        {% endfor %}
        coalesce(bool_or(is_lower_bound) filter (where check_name <> 'generator'), false) as is_held_back
    from matched
    group by submission_id, configuration_id, section, workload_id, load_basis, queue_depth

),

judged as (

    select
        gathered.*,
        case
            when round(gathered.processor_ratio, 12) >= limits.generator_bound then 'bound'
            when gathered.highest_processor_ratio >= limits.generator_near then 'near'
            when gathered.unknown_count > 0 then 'unknown'
            else 'cleared'
        end as generator_state,
        coalesce(round(gathered.achieved_depth_ratio, 12) < limits.depth_nearly_reached, false)
        and generator_state <> 'bound' as is_depth_missed,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric
    from gathered
    cross join limits

),

worded as (

    select
        * replace (
            list_concat(
                list_concat(exclusions, if(metric = 'latency_mean_seconds', latency_exclusions, [])),
                if(is_depth_missed, ['depth not reached'], [])
            ) as exclusions,
            list_concat(if(generator_state = 'bound', ['generator bound'], []), reservations) as reservations
        )
    from judged

),

final as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        queue_depth,
        metric,
        case
            when len(exclusions) > 0 then 'X'
            when len(doubts) > 0 then 'C'
            when len(reservations) > 0 then 'B'
        end as effect,
        exclusions,
        reservations,
        doubts,
        generator_state = 'bound' or is_held_back as is_lower_bound,
        generator_state,
        is_depth_missed,
        processor_ratio,
        achieved_depth_ratio
    from worded

)

select * from final
