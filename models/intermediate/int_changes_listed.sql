{# what changes along with a column, because it is part of the same change #}
{% set companions = {
    'configurations.setting_set': [
        'configurations.power_plan', 'configurations.cpu_power_state', 'configurations.cpu_thread_count',
        'configurations.io_scheduler', 'configurations.mount_options', 'drives.write_cache', 'settings.value'
    ],
    'configurations.cpu_nominal_hertz': [
        'configurations.cpu_nominal_hertz', 'configurations.cpu_model', 'configurations.cpu_socket_count',
        'configurations.cpu_core_count', 'configurations.cpu_thread_count'
    ],
} %}

with pairs as (

    select * from {{ ref('int_pairs_in_context') }}
    where question = 'replication'

),

roles as (

    select * from {{ ref('known_roles') }}

),

operands as (

    select * from {{ ref('int_operands') }}

),

-- few contexts of many: the columns of all would be paired first, and thrown away
contexts as materialized (

    select distinct
        pairs.a_circumstances_id,
        pairs.b_circumstances_id,
        pairs.context_id
    from pairs
    inner join operands as a on pairs.a_operand_id = a.operand_id
    inner join operands as b on pairs.b_operand_id = b.operand_id
    where a.submission_id = b.submission_id and a.section = b.section

),

compared as (

    select
        contexts.*,
        unnest(found.compared_columns) as compared_column
    from contexts
    inner join {{ ref('int_pair_effects') }} as found using (a_circumstances_id, b_circumstances_id, context_id)

),

described as (

    select
        compared.* exclude (compared_column),
        compared.compared_column['column_name'] as whole_name,
        split_part(whole_name, ' ', 1) as column_name,
        compared.compared_column['a_value'] as a_value,
        compared.compared_column['b_value'] as b_value,
        compared.compared_column['effect'] as effect,
        compared.compared_column['is_different'] as is_changed,
        compared.compared_column['is_unknown'] as is_unknown,
        coalesce(roles.role, 'context') as column_role
    from compared
    left join roles
        on
            split_part(compared.compared_column['column_name'], ' ', 1)
            = concat(roles.table_name, '.', roles.column_name)

),

summarised as (

    select
        a_circumstances_id,
        b_circumstances_id,
        context_id,
        list(whole_name order by whole_name) filter (where is_changed and column_role not in ('context', 'measure'))
            as changed,
        list_distinct(list(column_name) filter (where is_changed and column_role not in ('context', 'measure')))
            as changed_columns,
        coalesce(bool_or(is_changed and column_name = 'configurations.setting_set'), false) as is_setting_set_changed,
        count(*) filter (where is_unknown) as unknown_count
    from described
    group by a_circumstances_id, b_circumstances_id, context_id

),

named as (

    select
        *,
        case
            when
                is_setting_set_changed
                and list_has_all(
                    [
                        {% for column in companions['configurations.setting_set'] %}
                            '{{ column }}'{{ ',' if not loop.last }}
                        {% endfor %}
                    ],
                    coalesce(changed_columns, [])
                )
                then 'configurations.setting_set'
            -- other settings beside another change are two changes, even where nobody states the settings one by one
            when is_setting_set_changed then null
            when
                list_contains(changed_columns, 'configurations.cpu_nominal_hertz')
                and list_has_all(
                    [
                        {% for column in companions['configurations.cpu_nominal_hertz'] %}
                            '{{ column }}'{{ ',' if not loop.last }}
                        {% endfor %}
                    ],
                    changed_columns
                )
                then 'configurations.cpu_nominal_hertz'
            when len(changed) = 1 then changed[1]
        end as changed_name
    from summarised

),

final as (

    select
        named.a_circumstances_id,
        named.b_circumstances_id,
        named.context_id,
        named.changed_name,
        array_to_string(list_filter(named.changed, lambda name: name <> named.changed_name), ', ') as changed_with,
        named.unknown_count,
        min(described.a_value) filter (where described.whole_name = named.changed_name) as a_text,
        min(described.b_value) filter (where described.whole_name = named.changed_name) as b_text,
        max(
            case
                when described.whole_name = named.changed_name or list_contains(named.changed, described.whole_name)
                    then 0
                when described.effect = 'X' then 3
                when described.effect = 'C' then 2
                when described.effect = 'B' then 1
                else 0
            end
        ) as worst
    from named
    inner join described using (a_circumstances_id, b_circumstances_id, context_id)
    where
        named.changed_name is not null
        -- several drives against one are scaling
        and named.changed_name not in ('configurations.drive_count', 'drives.drive_count')
    group by all

)

select * from final
