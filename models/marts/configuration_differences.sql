with compared as (

    select * from {{ ref('int_columns_compared') }}

),

values_of_both as (

    select distinct
        a_condition_id,
        b_condition_id,
        column_name,
        a_value,
        b_value,
        a_condition <> b_condition as is_different
    from {{ ref('int_effects_judged') }}

),

circumstances as (

    select distinct
        circumstances_id,
        submission_id,
        configuration_id
    from {{ ref('int_operands') }}

),

roles as (

    select * from {{ ref('known_roles') }}

),

-- the same two values under many loads
condensed as (

    select
        a_circumstances_id,
        b_circumstances_id,
        a_condition_id,
        b_condition_id,
        max(case effect when 'X' then 3 when 'C' then 2 when 'B' then 1 else 0 end) as worst,
        min(case effect when 'X' then 3 when 'C' then 2 when 'B' then 1 else 0 end) as mildest
    from compared
    group by a_circumstances_id, b_circumstances_id, a_condition_id, b_condition_id

),

joined as (

    select
        condensed.worst,
        condensed.mildest,
        values_of_both.* exclude (a_condition_id, b_condition_id),
        a.submission_id as a_submission_id,
        a.configuration_id as a_configuration_id,
        b.submission_id as b_submission_id,
        b.configuration_id as b_configuration_id
    from condensed
    inner join values_of_both
        on
            condensed.a_condition_id = values_of_both.a_condition_id
            and condensed.b_condition_id = values_of_both.b_condition_id
    inner join circumstances as a on condensed.a_circumstances_id = a.circumstances_id
    inner join circumstances as b on condensed.b_circumstances_id = b.circumstances_id

),

-- one drive and an array meet in one order, two drives in another: here each pair stands in both
turned as (

    select * from joined
    union all by name
    select
        * replace (
            {% for column in ['submission_id', 'configuration_id', 'value'] %}
                a_{{ column }} as b_{{ column }},
                b_{{ column }} as a_{{ column }}{{ ',' if not loop.last }}
            {% endfor %}
        )
    from joined

),

paired as (

    select
        a_submission_id,
        a_configuration_id,
        b_submission_id,
        b_configuration_id,
        column_name as whole_name,
        string_agg(distinct a_value, '; ' order by a_value) as a_value,
        string_agg(distinct b_value, '; ' order by b_value) as b_value,
        coalesce(bool_or(is_different), false) as is_different,
        max(worst) as worst,
        min(mildest) as mildest
    from turned
    group by a_submission_id, a_configuration_id, b_submission_id, b_configuration_id, column_name

),

final as (

    select
        paired.a_submission_id,
        paired.a_configuration_id,
        paired.b_submission_id,
        paired.b_configuration_id,
        split_part(split_part(paired.whole_name, ' ', 1), '.', 1) as table_name,
        case
            when contains(paired.whole_name, ' ') then substr(paired.whole_name, strpos(paired.whole_name, ' ') + 1)
            else split_part(paired.whole_name, '.', 2)
        end as column_name,
        roles.label,
        paired.a_value,
        paired.b_value,
        case
            when paired.is_different then 'differs'
            when paired.a_value is null or paired.b_value is null then 'unknown'
            else 'same'
        end as state,
        roles.role,
        case paired.worst when 3 then 'X' when 2 then 'C' when 1 then 'B' else 'none' end as effect,
        case paired.mildest when 3 then 'X' when 2 then 'C' when 1 then 'B' else 'none' end as least_effect,
        roles.reason
    from paired
    left join roles
        on split_part(paired.whole_name, ' ', 1) = concat(roles.table_name, '.', roles.column_name)

)

select * from final
