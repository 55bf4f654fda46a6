{{ config(materialized='table') }}

with operands as (

    select * from {{ ref('int_operands') }}

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

-- workloads that agree in all that both state, of which one at least leaves something open
agreeing as (

    select
        a.workload_id as a_workload_id,
        b.workload_id as b_workload_id
    from workloads as a
    inner join workloads as b
        on
            a.workload_id <> b.workload_id
            -- null is unknown in these; in all other members it says that there is none
            {% for member in ['access_pattern', 'read_ratio', 'block_size_min_bytes', 'block_size_max_bytes'] %}
                and coalesce(a.{{ member }} = b.{{ member }}, true)
            {% endfor %}
            and a.load_options is not distinct from b.load_options
            and a.block_split is not distinct from b.block_split
            and a.stream_count is not distinct from b.stream_count
    where not (a.is_complete and b.is_complete)

),

-- sections of a publication hold numbers of their own: a number is compared with one of its own section where there is
-- one
sections as (

    select
        submission_id,
        configuration_id,
        workload_id,
        metric,
        basis,
        list(section) filter (where own_reason is null) as sections
    from operands
    group by submission_id, configuration_id, workload_id, metric, basis

),

within_submissions as (

    select
        a.operand_id as a_operand_id,
        b.operand_id as b_operand_id,
        case
            when a.own_reason is not null or b.own_reason is not null then least(a.own_reason, b.own_reason)
            -- the base of a printed unit cancels out inside one section, and nowhere else
            when (a.is_unit_unknown or b.is_unit_unknown) and a.section <> b.section then 'unit_unknown'
            when not a.is_complete and a.section <> b.section then 'workload_incomplete'
            when a.section = b.section then null
            when list_contains(of_b.sections, a.section) or list_contains(of_a.sections, b.section)
                then 'not_representative'
        end as reason
    from operands as a
    inner join operands as b
        on
            a.submission_id = b.submission_id
            and a.workload_id = b.workload_id
            and a.metric = b.metric
            and a.basis = b.basis
    inner join sections as of_a
        on
            a.submission_id = of_a.submission_id
            and a.configuration_id = of_a.configuration_id
            and a.workload_id = of_a.workload_id
            and a.metric = of_a.metric
            and a.basis = of_a.basis
    inner join sections as of_b
        on
            b.submission_id = of_b.submission_id
            and b.configuration_id = of_b.configuration_id
            and b.workload_id = of_b.workload_id
            and b.metric = of_b.metric
            and b.basis = of_b.basis
    where a.configuration_id < b.configuration_id

),

within_submissions_incomplete as (

    select
        a.operand_id as a_operand_id,
        b.operand_id as b_operand_id,
        coalesce(least(a.own_reason, b.own_reason), 'workload_incomplete') as reason
    from operands as a
    inner join agreeing on a.workload_id = agreeing.a_workload_id
    inner join operands as b
        on
            agreeing.b_workload_id = b.workload_id
            and a.submission_id = b.submission_id
            and a.metric = b.metric
            and a.basis = b.basis
    where a.configuration_id < b.configuration_id

),

admitted as (

    select * from operands
    where own_reason is null and not is_unit_unknown and is_complete

),

representatives as (

    select * from operands
    where is_representative

),

between_drives as (

    select
        a.operand_id as a_operand_id,
        b.operand_id as b_operand_id
    from admitted as a
    inner join representatives as b
        on
            a.workload_id = b.workload_id
            and a.metric = b.metric
            and a.basis = b.basis
    where a.is_representative and a.submission_id < b.submission_id

),

-- others of the same drive are compared with the one that stands for it
of_one_drive as (

    select
        a.operand_id as a_operand_id,
        b.operand_id as b_operand_id
    from admitted as a
    inner join representatives as b
        on
            a.workload_id = b.workload_id
            and a.metric = b.metric
            and a.basis = b.basis
            and a.compared_id = b.compared_id
            and a.storage_topology is not distinct from b.storage_topology
            and a.drive_count is not distinct from b.drive_count
    where a.is_representative is not true and a.submission_id <> b.submission_id

),

-- two joins, because an "or" between their conditions would try every pair of drives for every operand
across_submissions as (

    select * from between_drives
    union all
    select * from of_one_drive

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
        inner join workloads as b
            on
                a.access_pattern = b.access_pattern
                and a.{{ other }} = b.{{ other }}
                and a.{{ column }} {{ order }} b.{{ column }}
                {% for member in ['random_ratio', 'block_split', 'load_options', 'stream_count'] %}
                    and a.{{ member }} is not distinct from b.{{ member }}
                {% endfor %}
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

measured as (

    select * from operands
    where own_reason is null

),

within_configurations as (

    select
        a.operand_id as a_operand_id,
        b.operand_id as b_operand_id,
        varied.question
    from measured as a
    inner join varied on a.workload_id = varied.a_workload_id
    inner join measured as b
        on
            varied.b_workload_id = b.workload_id
            and a.submission_id = b.submission_id
            and a.configuration_id = b.configuration_id
            and a.section = b.section
            and a.metric = b.metric
            and a.basis = b.basis
    where
        {% for column in [
            'engine', 'cache_bypass', 'process_count', 'target_count', 'tool', 'tool_version', 'latency_kind'
        ] %}
            {{ 'and ' if not loop.first }}a.{{ column }} is not distinct from b.{{ column }}
        {% endfor %}

),

final as (

    select
        a_operand_id,
        b_operand_id,
        reason
    from within_submissions
    union all by name
    select * from within_submissions_incomplete
    union all by name
    select
        least(a_operand_id, b_operand_id) as a_operand_id,
        greatest(a_operand_id, b_operand_id) as b_operand_id
    from across_submissions
    union all by name
    select * from within_configurations

)

select * from final
