{{ config(materialized='table') }}

with contexts as (

    select distinct
        a_circumstances_id,
        b_circumstances_id,
        context_id
    from {{ ref('int_pairs_in_context') }}

),

alike as (

    select * from {{ ref('int_circumstances_alike') }}

),

compared as (

    select * from {{ ref('int_columns_compared') }}
    where effect is not null

),

described as (

    select
        *,
        -- a setting goes by its scope and name
        if(
            contains(column_name, ' '),
            substr(column_name, strpos(column_name, ' ') + 1),
            split_part(column_name, '.', 2)
        ) as condition_name,
        a_condition is null or b_condition is null as is_unknown
    from compared

),

summarised as (

    select
        likeness_id,
        context_id,
        bool_or(effect = 'X') as is_excluded,
        -- what differs is named, and so are the keys that nobody states; other unknown conditions are only counted
        -- in the order of their names: the sign that sorts first parts them from the effects meanwhile
        replace(
            array_to_string(
                list_sort(
                    list(concat(condition_name, chr(1), effect)) filter (where not is_unknown or effect <> 'B')
                ),
                ', '
            ),
            chr(1),
            ':'
        ) as condition_columns,
        array_to_string(list_sort(list(reason) filter (where not is_unknown or effect <> 'B')), '; ') as reasons,
        count(*) filter (where is_unknown) as unknown_count,
        -- a reservation of equal values, such as no steady state on both sides, is no difference
        count(*) filter (where a_condition is distinct from b_condition or is_unknown) as difference_count
    from described
    group by likeness_id, context_id

),

final as (

    select
        contexts.*,
        coalesce(summarised.is_excluded, false) as is_excluded,
        coalesce(summarised.condition_columns, '') as condition_columns,
        coalesce(summarised.reasons, '') as reasons,
        coalesce(summarised.unknown_count, 0) as unknown_count,
        coalesce(summarised.difference_count, 0) as difference_count
    from contexts
    left join alike
        on
            contexts.a_circumstances_id = alike.a_circumstances_id
            and contexts.b_circumstances_id = alike.b_circumstances_id
    left join summarised on alike.likeness_id = summarised.likeness_id and contexts.context_id = summarised.context_id

)

select * from final
