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

judged as (

    select * from {{ ref('int_effects_judged') }}

),

final as (

    select
        paired.a_circumstances_id,
        paired.b_circumstances_id,
        judged.*
    from contexts
    inner join paired
        on
            contexts.a_circumstances_id = paired.a_circumstances_id
            and contexts.b_circumstances_id = paired.b_circumstances_id
    inner join judged
        on
            contexts.context_id = judged.context_id
            and paired.a_condition_id = judged.a_condition_id
            and paired.b_condition_id = judged.b_condition_id

)

select * from final
