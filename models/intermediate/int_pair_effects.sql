{{ config(materialized='table') }}

with pairs_in_context as (

    select * from {{ ref('int_pairs_in_context') }}

),

paired as (

    select * from {{ ref('int_circumstances_paired') }}

),

conditions as (

    select distinct
        condition_id,
        column_name,
        stated_value,
        condition_value
    from {{ ref('int_conditions_listed') }}

),

contexts as (

    select distinct
        a_circumstances_id,
        b_circumstances_id,
        context_id
    from pairs_in_context

),

flags as (

    select distinct
        context_id,
        context
    from pairs_in_context

),

-- thousands of pairs have the same two values in everything: one of them stands for all
alike as (

    select distinct
        paired.likeness_id,
        contexts.context_id
    from contexts
    inner join paired
        on
            contexts.a_circumstances_id = paired.a_circumstances_id
            and contexts.b_circumstances_id = paired.b_circumstances_id

),

representatives as (

    select
        likeness_id,
        arg_min(conditions, row(a_circumstances_id, b_circumstances_id)) as conditions
    from paired
    group by likeness_id

),

unequal as (

    select
        likeness_id,
        unnest(conditions) as both_sides
    from representatives

),

met as materialized (

    select
        alike.likeness_id,
        alike.context_id,
        unequal.both_sides['a_condition_id'] as a_condition_id,
        unequal.both_sides['b_condition_id'] as b_condition_id
    from alike
    inner join unequal on alike.likeness_id = unequal.likeness_id

),

asked as (

    select distinct
        context_id,
        a_condition_id,
        b_condition_id
    from met

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
        if(
            contains(a.column_name, ' '),
            substr(a.column_name, strpos(a.column_name, ' ') + 1),
            split_part(a.column_name, '.', 2)
        ) as condition_name,
        role_effect(split_part(a.column_name, ' ', 1), a.condition_value, b.condition_value, flags.context) as effect,
        role_reason(split_part(a.column_name, ' ', 1), a_value, b_value, flags.context) as reason,
        effect is not null and (not is_unknown or effect <> 'B') as is_named
    from asked
    inner join flags on asked.context_id = flags.context_id
    inner join conditions as a on asked.a_condition_id = a.condition_id
    inner join conditions as b on asked.b_condition_id = b.condition_id

),

summarised as (

    select
        met.likeness_id,
        met.context_id,
        coalesce(bool_or(judged.effect = 'X'), false) as is_excluded,
        -- what differs is named, and so are the keys that nobody states; other unknown conditions are only counted
        -- in the order of their names: the sign that sorts first parts them from the effects meanwhile
        replace(
            array_to_string(
                list_sort(list(concat(judged.condition_name, chr(1), judged.effect)) filter (where judged.is_named)),
                ', '
            ),
            chr(1),
            ':'
        ) as condition_columns,
        array_to_string(list_sort(list(judged.reason) filter (where judged.is_named)), '; ') as reasons,
        count(judged.effect) filter (where judged.is_unknown) as unknown_count,
        -- a reservation of equal values, such as no steady state on both sides, is no difference
        count(judged.effect) filter (where judged.is_different or judged.is_unknown) as difference_count,
        list({
            'column_name': judged.column_name,
            'a_value': judged.a_value,
            'b_value': judged.b_value,
            'effect': judged.effect,
            'is_unknown': judged.is_unknown,
            'is_different': judged.is_different
        }) as compared_columns
    from met
    inner join judged
        on
            met.context_id = judged.context_id
            and met.a_condition_id = judged.a_condition_id
            and met.b_condition_id = judged.b_condition_id
    group by met.likeness_id, met.context_id

),

final as (

    select
        alike.likeness_id,
        alike.context_id,
        coalesce(summarised.is_excluded, false) as is_excluded,
        coalesce(summarised.condition_columns, '') as condition_columns,
        coalesce(summarised.reasons, '') as reasons,
        coalesce(summarised.unknown_count, 0) as unknown_count,
        coalesce(summarised.difference_count, 0) as difference_count,
        summarised.compared_columns
    from alike
    left join summarised on alike.likeness_id = summarised.likeness_id and alike.context_id = summarised.context_id

)

select * from final
