{{ config(materialized='table') }}

{# equal values of these may have an effect too: two printed figures, two runs without a steady state #}
{% set always = ['configurations.steady_state_class', 'submissions.source_type', 'results.queue_depth_origin'] %}

with pairs as (

    select
        a_operand_id,
        b_operand_id
    from {{ ref('int_operands_paired') }}
    where reason is null
    union all
    select
        array_operand_id as a_operand_id,
        base_operand_id as b_operand_id
    from {{ ref('int_loads_paired') }}

),

operands as (

    select * from {{ ref('int_operands') }}

),

conditions as (

    select * from {{ ref('int_conditions_listed') }}

),

circumstances as (

    select distinct
        a.circumstances_id as a_circumstances_id,
        b.circumstances_id as b_circumstances_id
    from pairs
    inner join operands as a on pairs.a_operand_id = a.operand_id
    inner join operands as b on pairs.b_operand_id = b.operand_id

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

paired as (

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

),

final as (

    select
        circumstances.a_circumstances_id,
        circumstances.b_circumstances_id,
        hash(
            list_sort(
                list(hash(row(paired.a_condition_id, paired.b_condition_id)))
                filter (where paired.a_condition_id is not null)
            )
        ) as likeness_id,
        list({ 'a_condition_id': paired.a_condition_id, 'b_condition_id': paired.b_condition_id })
        filter (where paired.a_condition_id is not null) as conditions
    from circumstances
    left join paired
        on
            circumstances.a_circumstances_id = paired.a_circumstances_id
            and circumstances.b_circumstances_id = paired.b_circumstances_id
    group by circumstances.a_circumstances_id, circumstances.b_circumstances_id

)

select * from final
