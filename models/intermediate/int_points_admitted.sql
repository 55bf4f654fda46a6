with points as (

    select * from {{ ref('points') }}

),

reservations as (

    select * from {{ ref('int_reservations_matched') }}
    where effect = 'X'

),

repetitions as (

    select * from {{ ref('int_repetitions_selected') }}

),

excluded as (

    select distinct
        repetitions.submission_id,
        repetitions.configuration_id,
        repetitions.section,
        repetitions.workload_id,
        repetitions.load_basis,
        repetitions.queue_depth
    from repetitions
    inner join reservations on repetitions.repetition_id = reservations.repetition_id

),

final as (

    -- what held a point back opens its interval, and leaves what was measured
    select
        points.* replace (
            {% for kind in ['operations_kind', 'throughput_kind', 'latency_kind_of_interval'] %}
                if(is_held_back, coalesce(nullif(regexp_replace({{ kind }}, '^bound\+?', ''), ''), 'none'), {{ kind }})
                    as {{ kind }}{{ ',' if not loop.last }}
            {% endfor %}
        )
    from points
    anti join excluded
        on
            points.submission_id = excluded.submission_id
            and points.configuration_id = excluded.configuration_id
            and points.section = excluded.section
            and points.workload_id = excluded.workload_id
            and points.load_basis = excluded.load_basis
            and points.queue_depth = excluded.queue_depth

)

select * from final
