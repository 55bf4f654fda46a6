{{ config(materialized='table') }}

with gathered as (

    select * from {{ ref('int_contexts_gathered') }}

),

context_sets as (

    select distinct
        context_set_id,
        unnest(context_ids) as context_id
    from gathered

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

-- thousands of pairs have the same two values in the same contexts
asked as materialized (

    select distinct
        gathered.context_set_id,
        paired.a_condition_id,
        paired.b_condition_id
    from gathered
    inner join paired
        on
            gathered.a_circumstances_id = paired.a_circumstances_id
            and gathered.b_circumstances_id = paired.b_circumstances_id

),

met as (

    select distinct
        asked.a_condition_id,
        asked.b_condition_id,
        context_sets.context_id
    from asked
    inner join context_sets on asked.context_set_id = context_sets.context_set_id

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
