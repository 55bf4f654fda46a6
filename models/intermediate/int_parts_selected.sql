with results as not materialized (

    select * from {{ ref('int_results_qualified') }}
    where not is_partial

),

directed as (

    select repetition_id
    from results
    where operation in ('read', 'write', 'trim')

),

-- what reads and writes did together stands in the reads and in the writes
final as (

    select *
    from results
    where operation not in ('sync', 'mixed')
    union all
    select *
    from results
    anti join directed on results.repetition_id = directed.repetition_id
    where operation = 'mixed'

)

select * from final
