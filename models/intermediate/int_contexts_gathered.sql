{{ config(materialized='table') }}

with contexts as (

    select distinct
        a_circumstances_id,
        b_circumstances_id,
        context_id
    from {{ ref('int_pairs_in_context') }}

),

gathered as (

    select
        a_circumstances_id,
        b_circumstances_id,
        list(context_id order by context_id) as context_ids
    from contexts
    group by a_circumstances_id, b_circumstances_id

),

final as (

    select
        *,
        hash(context_ids) as context_set_id
    from gathered

)

select * from final
