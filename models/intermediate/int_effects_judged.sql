{{ config(materialized='table') }}

with contexts as (

    select distinct
        a_circumstances_id,
        b_circumstances_id,
        context_id
    from {{ ref('int_pairs_in_context') }}

),

flags as (

    select distinct
        context_id,
        context
    from {{ ref('int_pairs_in_context') }}

),

paired as (

    select * from {{ ref('int_conditions_paired') }}

),

conditions as (

    select distinct
        condition_id,
        column_name,
        stated_value,
        condition_value
    from {{ ref('int_conditions_listed') }}

),

-- thousands of pairs have the same two values in the same context
met as (

    select distinct
        paired.a_condition_id,
        paired.b_condition_id,
        contexts.context_id
    from contexts
    inner join paired
        on
            contexts.a_circumstances_id = paired.a_circumstances_id
            and contexts.b_circumstances_id = paired.b_circumstances_id

),

final as (

    select
        met.*,
        a.column_name,
        a.stated_value as a_value,
        a.condition_value as a_condition,
        b.stated_value as b_value,
        b.condition_value as b_condition,
        -- each setting has a row of its own, and all have the role of their value
        role_effect(split_part(a.column_name, ' ', 1), a_condition, b_condition, flags.context) as effect,
        role_reason(split_part(a.column_name, ' ', 1), a_value, b_value, flags.context) as reason
    from met
    inner join flags on met.context_id = flags.context_id
    inner join conditions as a on met.a_condition_id = a.condition_id
    inner join conditions as b on met.b_condition_id = b.condition_id

)

select * from final
