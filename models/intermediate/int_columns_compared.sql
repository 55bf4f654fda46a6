{{ config(materialized='table') }}

{# equal values of these may have an effect too: two printed figures, two runs without a steady state #}
{% set always = ['configurations.steady_state_class', 'submissions.source_type', 'results.queue_depth_origin'] %}

with contexts as (

    select distinct
        a_circumstances_id,
        b_circumstances_id,
        context
    from {{ ref('int_pairs_in_context') }}

),

conditions as (

    select * from {{ ref('int_conditions_listed') }}

),

circumstances as (

    select distinct
        a_circumstances_id,
        b_circumstances_id
    from contexts

),

-- each side is joined on its own, because joining the sides to each other first would pair everything with everything
with_a as materialized (

    select
        circumstances.*,
        conditions.column_name,
        conditions.stated_value as a_value,
        conditions.condition_value as a_condition
    from circumstances
    inner join conditions on circumstances.a_circumstances_id = conditions.circumstances_id

),

differing as materialized (

    select
        with_a.*,
        conditions.stated_value as b_value,
        conditions.condition_value as b_condition
    from with_a
    inner join conditions
        on
            with_a.b_circumstances_id = conditions.circumstances_id
            and with_a.column_name = conditions.column_name
    where
        with_a.a_condition is null
        or conditions.condition_value is null
        or with_a.a_condition <> conditions.condition_value
        or with_a.column_name in ('{{ always | join("', '") }}')

),

final as (

    select
        contexts.context,
        differing.*,
        role_effect(
            -- each setting has a row of its own, and all have the role of their value
            split_part(differing.column_name, ' ', 1), differing.a_condition, differing.b_condition, contexts.context
        ) as effect
    from contexts
    inner join differing
        on
            contexts.a_circumstances_id = differing.a_circumstances_id
            and contexts.b_circumstances_id = differing.b_circumstances_id

)

select * from final
