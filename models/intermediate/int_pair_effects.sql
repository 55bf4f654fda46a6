{{ config(materialized='table') }}

{# equal values of these may have an effect too: two printed figures, two runs without a steady state #}
{% set always = ['configurations.steady_state_class', 'submissions.source_type', 'results.queue_depth_origin'] %}

with distinct_conditions as (

    select distinct * exclude (circumstances_id)
    from {{ ref('int_conditions_listed') }}

),

contexts as (

    select distinct
        a_circumstances_id,
        b_circumstances_id,
        context_id,
        context
    from {{ ref('int_pairs_in_context') }}
    where context_id is not null

),

-- each side is joined on its own, because joining the sides to each other first would pair everything with everything
with_a as materialized (

    select
        contexts.*,
        conditions.* exclude (circumstances_id)
    from contexts
    inner join {{ ref('int_conditions_listed') }} as conditions
        on contexts.a_circumstances_id = conditions.circumstances_id

),

-- what differs or is unknown
unequal as materialized (

    select
        a.a_circumstances_id,
        a.b_circumstances_id,
        a.context_id,
        a.context,
        a.condition_id as a_condition_id,
        b.condition_id as b_condition_id
    from with_a as a
    inner join {{ ref('int_conditions_listed') }} as b
        on a.b_circumstances_id = b.circumstances_id and a.column_name = b.column_name
    where
        a.condition_value is null
        or b.condition_value is null
        or a.condition_value <> b.condition_value
        or a.column_name in ('{{ always | join("', '") }}')

),

asked as (

    select distinct
        context_id,
        context,
        a_condition_id,
        b_condition_id
    from unequal

),

-- what two values mean in a context, each judged once however many pairs have them
judged as materialized (

    select
        asked.*,
        a.column_name,
        a.stated_value as a_value,
        b.stated_value as b_value,
        a.condition_value is null or b.condition_value is null as is_unknown,
        coalesce(a.condition_value <> b.condition_value, false) as is_different,
        -- each setting has a row of its own, goes by its scope and name, and has the role of any setting's value
        regexp_replace(a.column_name, '^([^ ]* |[^.]*[.])', '') as condition_name,
        role_effect(split_part(a.column_name, ' ', 1), a.condition_value, b.condition_value, asked.context) as effect
    from asked
    inner join distinct_conditions as a on asked.a_condition_id = a.condition_id
    inner join distinct_conditions as b on asked.b_condition_id = b.condition_id

),

final as (

    select
        a_circumstances_id,
        b_circumstances_id,
        context_id,
        list_sort(list_distinct(list(condition_name) filter (where effect = 'X'))) as excluding_names,
        excluding_names is not null as is_excluded,
        -- what differs is named, and so are the keys that nobody states; other unknown conditions are only counted
        coalesce(
            list(concat(condition_name, ':', effect) order by condition_name, effect)
            filter (where effect is not null and (not is_unknown or effect <> 'B')),
            []
        ) as condition_columns,
        count(effect) filter (where is_unknown) as unknown_count,
        -- a reservation of equal values, such as no steady state on both sides, is no difference
        count(effect) filter (where is_different or is_unknown) as difference_count,
        list({
            'column_name': column_name,
            'condition_name': condition_name,
            'a_value': a_value,
            'b_value': b_value,
            'effect': effect,
            'is_unknown': is_unknown,
            'is_different': is_different
        }) filter (where column_name is not null) as compared_columns
    from contexts
    left join unequal using (a_circumstances_id, b_circumstances_id, context_id)
    left join judged using (context_id, a_condition_id, b_condition_id)
    group by a_circumstances_id, b_circumstances_id, context_id

)

select * from final
