{{ config(materialized='table') }}

-- each workload with itself, and those that agree in all that both state, of which one at least leaves something open
with agreeing as (

    select
        a.workload_id,
        b.workload_id as b_workload_id
    from {{ ref('int_workloads_identified') }} as a
    inner join {{ ref('int_workloads_identified') }} as b
        on
            (a.workload_id = b.workload_id or not (a.is_complete and b.is_complete))
            -- null is unknown in these; in the other members it says that there is none
            {% for member in ['access_pattern', 'read_ratio', 'block_size_min_bytes', 'block_size_max_bytes'] %}
                and coalesce(a.{{ member }} = b.{{ member }}, true)
            {% endfor %}
            {% for member in ['load_options', 'block_split', 'stream_count'] %}
                and a.{{ member }} is not distinct from b.{{ member }}
            {% endfor %}

),

-- A is the smaller by device, submission and configuration, as operands are numbered
within_submissions as (

    select
        a.operand_id as a_operand_id,
        b.operand_id as b_operand_id,
        a.configuration_id as a_configuration_id,
        b.configuration_id as b_configuration_id,
        a.section = b.section as is_one_section,
        case
            when a.own_reason is not null or b.own_reason is not null then least(a.own_reason, b.own_reason)
            when a.workload_id <> b.workload_id then 'workload_incomplete'
            when a.section = b.section then null
            -- the base of a printed unit cancels out inside one section, and nowhere else
            when a.is_unit_unknown or b.is_unit_unknown then 'unit_unknown'
            when not a.is_complete then 'workload_incomplete'
        end as own_reason
    from {{ ref('int_operands') }} as a
    inner join agreeing using (workload_id)
    inner join {{ ref('int_operands') }} as b using (submission_id, metric, basis)
    where
        agreeing.b_workload_id = b.workload_id
        and a.configuration_id <> b.configuration_id
        and a.operand_id < b.operand_id

),

-- a number is compared with one of its own section of a publication, where there is one
in_sections as (

    select
        a_operand_id,
        b_operand_id,
        own_reason
    from within_submissions
    qualify
        own_reason is not null
        or is_one_section
        or not (
            bool_or(own_reason is null and is_one_section) over (partition by a_operand_id, b_configuration_id)
            or bool_or(own_reason is null and is_one_section) over (partition by b_operand_id, a_configuration_id)
        )

),

-- what represents its drive with others, and others of the same drive with what represents it; two joins, because with
-- an "or" between their conditions every pair of drives would be tried for every operand
across_submissions as (

    {% for keys, condition in [
        ('', 'a.is_representative and a.submission_id < b.submission_id'),
        (
            ', compared_id',
            'a.is_representative is not true and a.submission_id <> b.submission_id'
            ' and a.storage_topology is not distinct from b.storage_topology'
            ' and a.drive_count is not distinct from b.drive_count'
        ),
    ] %}
        select
            least(a.operand_id, b.operand_id) as a_operand_id,
            greatest(a.operand_id, b.operand_id) as b_operand_id
        from {{ ref('int_operands') }} as a
        inner join {{ ref('int_operands') }} as b using (workload_id, metric, basis{{ keys }})
        where
            a.own_reason is null and not a.is_unit_unknown and a.is_complete and b.is_representative
            and {{ condition }}
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- few loads against few: the members are compared here, and not for each number that was measured under them
varied as (

    {% for column, other, order, question in [
        ('read_ratio', 'block_size_bytes', '>', 'write_share'), ('block_size_bytes', 'read_ratio', '<', 'block_size')
    ] %}
        select
            a.workload_id,
            b.workload_id as b_workload_id,
            '{{ question }}' as stated_question
        from {{ ref('int_workloads_identified') }} as a
        inner join {{ ref('int_workloads_identified') }} as b using (access_pattern, {{ other }})
        where
            a.{{ column }} {{ order }} b.{{ column }}
            {% for member in ['random_ratio', 'block_split', 'load_options', 'stream_count'] %}
                and a.{{ member }} is not distinct from b.{{ member }}
            {% endfor %}
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

within_configurations as (

    select
        a.operand_id as a_operand_id,
        b.operand_id as b_operand_id,
        varied.stated_question
    from {{ ref('int_operands') }} as a
    inner join varied using (workload_id)
    inner join {{ ref('int_operands') }} as b using (submission_id, configuration_id, section, metric, basis)
    where
        varied.b_workload_id = b.workload_id
        and a.own_reason is null
        and b.own_reason is null
        {% for column in [
            'engine', 'cache_bypass', 'process_count', 'target_count', 'tool', 'tool_version', 'latency_kind'
        ] %}
            and a.{{ column }} is not distinct from b.{{ column }}
        {% endfor %}

),

final as (

    select * from in_sections
    union all by name
    select * from across_submissions
    union all by name
    select * from within_configurations

)

select * from final
