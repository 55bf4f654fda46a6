with workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

operands as (

    select * from {{ ref('int_operands') }}
    where own_reason is null

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

final as (

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
        {% for column in [
            'engine', 'cache_bypass', 'process_count', 'target_count', 'tool', 'tool_version', 'latency_kind'
        ] %}
            {{ 'and ' if not loop.first }}a.{{ column }} is not distinct from b.{{ column }}
        {% endfor %}

)

select * from final
