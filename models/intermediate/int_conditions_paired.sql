{{ config(materialized='table') }}

{# equal values of these may have an effect too: two printed figures, two runs without a steady state #}
{% set always = ['configurations.steady_state_class', 'submissions.source_type', 'results.queue_depth_origin'] %}

with circumstances as (

    select distinct
        a_circumstances_id,
        b_circumstances_id
    from {{ ref('int_pairs_in_context') }}

),

conditions as (

    select * from {{ ref('int_conditions_listed') }}

),

-- each side is joined on its own, because joining the sides to each other first would pair everything with everything
with_a as materialized (

    select
        circumstances.*,
        conditions.column_name,
        conditions.condition_id as a_condition_id,
        conditions.condition_value as a_condition
    from circumstances
    inner join conditions on circumstances.a_circumstances_id = conditions.circumstances_id

),

final as (

    select
        with_a.a_circumstances_id,
        with_a.b_circumstances_id,
        with_a.a_condition_id,
        conditions.condition_id as b_condition_id
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

)

select * from final
