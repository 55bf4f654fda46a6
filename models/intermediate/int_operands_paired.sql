{{ config(materialized='table') }}

-- sections of a publication hold numbers of their own: a number is compared with one of its own section where there is
-- one
with sections as (

    select
        submission_id,
        configuration_id,
        workload_id,
        metric,
        basis,
        list(section) filter (where own_reason is null) as sections
    from {{ ref('int_operands') }}
    group by submission_id, configuration_id, workload_id, metric, basis

),

operands as (

    select
        operands.*,
        sections.sections
    from {{ ref('int_operands') }} as operands
    inner join sections using (submission_id, configuration_id, workload_id, metric, basis)

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

-- each workload with itself, and those that agree in all that both state, of which one at least leaves something open
agreeing as (

    select
        a.workload_id as a_workload_id,
        b.workload_id as b_workload_id
    from workloads as a
    inner join workloads as b
        on
            a.workload_id <> b.workload_id
            -- null is unknown in these; in the other members it says that there is none
            {% for member in ['access_pattern', 'read_ratio', 'block_size_min_bytes', 'block_size_max_bytes'] %}
                and coalesce(a.{{ member }} = b.{{ member }}, true)
            {% endfor %}
            {% for member in ['load_options', 'block_split', 'stream_count'] %}
                and a.{{ member }} is not distinct from b.{{ member }}
            {% endfor %}
    where not (a.is_complete and b.is_complete)
    union all
    select distinct
        workload_id as a_workload_id,
        workload_id as b_workload_id
    from operands

),

within_submissions as (

    select
        a.operand_id as a_operand_id,
        b.operand_id as b_operand_id,
        case
            when a.own_reason is not null or b.own_reason is not null then least(a.own_reason, b.own_reason)
            when a.workload_id <> b.workload_id then 'workload_incomplete'
            when a.section = b.section then null
            -- the base of a printed unit cancels out inside one section, and nowhere else
            when a.is_unit_unknown or b.is_unit_unknown then 'unit_unknown'
            when not a.is_complete then 'workload_incomplete'
            when list_contains(b.sections, a.section) or list_contains(a.sections, b.section) then 'not_representative'
        end as reason
    from operands as a
    inner join agreeing on a.workload_id = agreeing.a_workload_id
    inner join operands as b
        on
            agreeing.b_workload_id = b.workload_id
            and a.submission_id = b.submission_id
            and a.metric = b.metric
            and a.basis = b.basis
            and a.configuration_id < b.configuration_id

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
        from operands as a
        inner join operands as b using (workload_id, metric, basis{{ keys }})
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
            a.workload_id as a_workload_id,
            b.workload_id as b_workload_id,
            '{{ question }}' as question
        from workloads as a
        inner join workloads as b using (access_pattern, {{ other }})
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
        varied.question
    from operands as a
    inner join varied on a.workload_id = varied.a_workload_id
    inner join operands as b
        on
            varied.b_workload_id = b.workload_id
            and a.submission_id = b.submission_id
            and a.configuration_id = b.configuration_id
            and a.section = b.section
            and a.metric = b.metric
            and a.basis = b.basis
    where
        a.own_reason is null and b.own_reason is null
        {% for column in [
            'engine', 'cache_bypass', 'process_count', 'target_count', 'tool', 'tool_version', 'latency_kind'
        ] %}
            and a.{{ column }} is not distinct from b.{{ column }}
        {% endfor %}

),

final as (

    select * from within_submissions
    union all by name
    select * from across_submissions
    union all by name
    select * from within_configurations

)

select * from final
