{{ config(materialized='table') }}

with contexts as (

    select distinct
        a_circumstances_id,
        b_circumstances_id,
        context_id
    from {{ ref('int_pairs_in_context') }}

),

paired as (

    select * from {{ ref('int_conditions_paired') }}

),

alike as (

    select * from {{ ref('int_circumstances_alike') }}

),

judged as (

    select * from {{ ref('int_effects_judged') }}

),

-- thousands of pairs have the same two values in everything: one of them stands for all
asked as (

    select
        alike.likeness_id,
        contexts.context_id,
        min(alike.a_circumstances_id) as a_circumstances_id,
        arg_min(alike.b_circumstances_id, row(alike.a_circumstances_id, alike.b_circumstances_id))
            as b_circumstances_id
    from contexts
    inner join alike
        on
            contexts.a_circumstances_id = alike.a_circumstances_id
            and contexts.b_circumstances_id = alike.b_circumstances_id
    group by alike.likeness_id, contexts.context_id

),

final as (

    select
        asked.likeness_id,
        judged.*
    from asked
    inner join paired
        on
            asked.a_circumstances_id = paired.a_circumstances_id
            and asked.b_circumstances_id = paired.b_circumstances_id
    inner join judged
        on
            asked.context_id = judged.context_id
            and paired.a_condition_id = judged.a_condition_id
            and paired.b_condition_id = judged.b_condition_id

)

select * from final
