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

roles as (

    select * from {{ ref('known_roles') }}

),

described as (

    select
        compared.*,
        -- a setting goes by its scope and name
        case
            when contains(compared.column_name, ' ')
                then substr(compared.column_name, strpos(compared.column_name, ' ') + 1)
            else split_part(compared.column_name, '.', 2)
        end as condition_name,
        coalesce(roles.label, condition_name) as condition_label,
        compared.a_condition is null or compared.b_condition is null as is_unknown
    from compared
    left join roles on split_part(compared.column_name, ' ', 1) = concat(roles.table_name, '.', roles.column_name)

),

summarised as (

    select
        likeness_id,
        context_id,
        max(case effect when 'X' then 3 when 'C' then 2 else 1 end) as worst,
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
        ) as grade_columns,
        array_to_string(list_sort(list(reason) filter (where not is_unknown or effect <> 'B')), '; ') as reasons,
        array_to_string(list_sort(list(condition_label) filter (where is_unknown and effect = 'C')), ', ')
            as unknown_columns,
        count(*) filter (where is_unknown and effect = 'B') as unknown_reservation_count,
        -- a reservation of equal values, such as no steady state on both sides, is no difference
        count(*) filter (where a_condition is distinct from b_condition or is_unknown) as difference_count
    from described
    group by likeness_id, context_id

),

final as (

    select
        contexts.*,
        case summarised.worst when 3 then 'X' when 2 then 'C' when 1 then 'B' else 'A' end as grade,
        coalesce(summarised.grade_columns, '') as grade_columns,
        coalesce(summarised.reasons, '') as reasons,
        summarised.unknown_columns,
        coalesce(summarised.unknown_reservation_count, 0) as unknown_reservation_count,
        coalesce(summarised.difference_count, 0) as difference_count
    from contexts
    left join alike
        on
            contexts.a_circumstances_id = alike.a_circumstances_id
            and contexts.b_circumstances_id = alike.b_circumstances_id
    left join summarised on alike.likeness_id = summarised.likeness_id and contexts.context_id = summarised.context_id

)

select * from final
