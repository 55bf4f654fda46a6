with results as not materialized (

    select * from {{ ref('int_results_qualified') }}

),

directions as (

    select
        repetition_id,
        bool_or(operation in ('read', 'write', 'trim')) as has_directions
    from results
    where not is_partial
    group by repetition_id

),

final as (

    select results.*
    from results
    inner join directions on results.repetition_id = directions.repetition_id
    where
        not results.is_partial
        and results.operation <> 'sync'
        and not (results.operation = 'mixed' and directions.has_directions)

)

select * from final
