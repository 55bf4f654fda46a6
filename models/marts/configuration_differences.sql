with gathered as (

    select * from {{ ref('int_contexts_gathered') }}

),

paired as (

    select * from {{ ref('int_conditions_paired') }}

),

judged as (

    select * from {{ ref('int_effects_judged') }}

),

operands as (

    select * from {{ ref('int_operands') }}

),

roles as (

    select * from {{ ref('known_roles') }}

),

configurations as (

    select
        submission_id,
        configuration_id,
        row_number() over (order by submission_id, configuration_id) as configuration_key
    from operands
    group by submission_id, configuration_id

),

circumstances as (

    select distinct
        operands.circumstances_id,
        configurations.configuration_key
    from operands
    inner join configurations
        on
            operands.submission_id = configurations.submission_id
            and operands.configuration_id = configurations.configuration_id

),

context_sets as (

    select distinct
        context_set_id,
        unnest(context_ids) as context_id
    from gathered

),

-- one drive and an array meet in one order, two drives in another: here each pair of configurations has one
met as materialized (

    select distinct
        least(a.configuration_key, b.configuration_key) as first_key,
        greatest(a.configuration_key, b.configuration_key) as second_key,
        a.configuration_key > b.configuration_key as is_turned,
        gathered.context_set_id,
        paired.a_condition_id,
        paired.b_condition_id
    from gathered
    inner join paired
        on
            gathered.a_circumstances_id = paired.a_circumstances_id
            and gathered.b_circumstances_id = paired.b_circumstances_id
    inner join circumstances as a on gathered.a_circumstances_id = a.circumstances_id
    inner join circumstances as b on gathered.b_circumstances_id = b.circumstances_id
    -- two loads of one configuration are compared as well
    where a.configuration_key <> b.configuration_key

),

-- the same two values in the same contexts
asked as (

    select distinct
        context_set_id,
        a_condition_id,
        b_condition_id
    from met

),

weighed as (

    select
        asked.*,
        min(judged.column_name) as column_name,
        min(judged.a_value) as a_value,
        min(judged.b_value) as b_value,
        bool_or(judged.a_condition <> judged.b_condition) as is_different,
        max(case judged.effect when 'X' then 3 when 'C' then 2 when 'B' then 1 else 0 end) as worst,
        min(case judged.effect when 'X' then 3 when 'C' then 2 when 'B' then 1 else 0 end) as mildest
    from asked
    inner join context_sets on asked.context_set_id = context_sets.context_set_id
    inner join judged
        on
            context_sets.context_id = judged.context_id
            and asked.a_condition_id = judged.a_condition_id
            and asked.b_condition_id = judged.b_condition_id
    group by asked.context_set_id, asked.a_condition_id, asked.b_condition_id

),

-- the same two values in different contexts
condensed as (

    select
        met.first_key,
        met.second_key,
        weighed.column_name,
        if(met.is_turned, weighed.b_value, weighed.a_value) as first_value,
        if(met.is_turned, weighed.a_value, weighed.b_value) as second_value,
        bool_or(weighed.is_different) as is_different,
        max(weighed.worst) as worst,
        min(weighed.mildest) as mildest
    from met
    inner join weighed
        on
            met.context_set_id = weighed.context_set_id
            and met.a_condition_id = weighed.a_condition_id
            and met.b_condition_id = weighed.b_condition_id
    group by all

),

in_one_order as (

    select
        first_key,
        second_key,
        column_name as whole_name,
        {% for value in ['first_value', 'second_value'] %}
            case when count({{ value }}) > 0 then array_to_string(list_sort(list_distinct(list({{ value }}))), '; ') end
                as {{ value }},
        {% endfor %}
        coalesce(bool_or(is_different), false) as is_different,
        max(worst) as worst,
        min(mildest) as mildest
    from condensed
    group by first_key, second_key, column_name

),

described as (

    select
        in_one_order.*,
        split_part(split_part(whole_name, ' ', 1), '.', 1) as table_name,
        case
            when contains(whole_name, ' ') then substr(whole_name, strpos(whole_name, ' ') + 1)
            else split_part(whole_name, '.', 2)
        end as column_name,
        roles.label,
        case
            when in_one_order.is_different then 'differs'
            when in_one_order.first_value is null or in_one_order.second_value is null then 'unknown'
            else 'same'
        end as state,
        roles.role,
        case in_one_order.worst when 3 then 'X' when 2 then 'C' when 1 then 'B' else 'none' end as effect,
        case in_one_order.mildest when 3 then 'X' when 2 then 'C' when 1 then 'B' else 'none' end as least_effect,
        roles.reason
    from in_one_order
    left join roles
        on split_part(in_one_order.whole_name, ' ', 1) = concat(roles.table_name, '.', roles.column_name)

),

final as (

    {% for a, b in [('first', 'second'), ('second', 'first')] %}
        select
            a.submission_id as a_submission_id,
            a.configuration_id as a_configuration_id,
            b.submission_id as b_submission_id,
            b.configuration_id as b_configuration_id,
            described.table_name,
            described.column_name,
            described.label,
            described.{{ a }}_value as a_value,
            described.{{ b }}_value as b_value,
            described.state,
            described.role,
            described.effect,
            described.least_effect,
            described.reason
        from described
        inner join configurations as a on described.{{ a }}_key = a.configuration_key
        inner join configurations as b on described.{{ b }}_key = b.configuration_key
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from final
