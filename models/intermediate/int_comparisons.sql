{{ config(materialized='table') }}

{% set side = [
    'mean_logarithm', 'repetition_count', 'session_count', 'n', 'log_variance', 'low_half', 'high_half', 'is_held_back',
    'is_peak', 'is_stated_bound'
] %}

with operands as (

    select * from {{ ref('int_operands') }}

),

checked as (

    select * from {{ ref('int_operands_checked') }}

),

pairs as (

    select * from {{ ref('int_pairs_in_context') }}
    where question in ('device', 'firmware', 'specimen', 'replication')

),

circumstances as (

    select * from {{ ref('int_circumstances_paired') }}

),

found as (

    select * from {{ ref('int_pair_effects') }}

),

margins as (

    select max(limit_value) as margin_ratio
    from {{ ref('known_limits') }}
    where limit_id = 'margin'

),

sides as (

    select
        operands.*,
        checked.job_key,
        operands.metric = 'latency_mean_seconds' as is_latency,
        coalesce(checked.worst, 0) as worst_check,
        checked.check_columns,
        coalesce(checked.is_generator_bound, false) as is_generator_bound,
        coalesce(checked.is_lower_bound, false) as is_held_back,
        operands.basis = 'peak' as is_peak,
        if(is_peak, 1, coalesce(operands.repetition_count, 1)) as run_count,
        coalesce(operands.session_count, 1) as sessions
    from operands
    left join checked on operands.operand_id = checked.operand_id

),

-- A is the smaller by device, submission and configuration
oriented as (

    select
        row(coalesce(b.device_id, ''), b.submission_id, b.configuration_id)
        < row(coalesce(a.device_id, ''), a.submission_id, a.configuration_id) as is_turned,
        if(is_turned, pairs.b_operand_id, pairs.a_operand_id) as a_operand_id,
        if(is_turned, pairs.a_operand_id, pairs.b_operand_id) as b_operand_id,
        pairs.question,
        pairs.is_same_bench,
        pairs.a_circumstances_id,
        pairs.b_circumstances_id,
        pairs.context_id
    from pairs
    inner join sides as a on pairs.a_operand_id = a.operand_id
    inner join sides as b on pairs.b_operand_id = b.operand_id

),

joined as (

    select
        oriented.*,
        circumstances.likeness_id,
        concat(a.submission_id, '/', a.configuration_id) as a_name,
        concat(b.submission_id, '/', b.configuration_id) as b_name,
        left(md5(concat(least(a_name, b_name), ' ', greatest(a_name, b_name))), 16) as pair_id,
        a.workload_id,
        a.metric,
        if(a.is_peak, null, a.queue_depth) as queue_depth,
        a.basis,
        {% for side in ['a', 'b'] %}
            {{ side }}.submission_id as {{ side }}_submission_id,
            {{ side }}.configuration_id as {{ side }}_configuration_id,
            {{ side }}.section as {{ side }}_section,
            {{ side }}.point_id as {{ side }}_point_id,
            {{ side }}.process_count as {{ side }}_process_count,
            {{ side }}.tool_version as {{ side }}_tool_version,
            {{ side }}.run_count as {{ side }}_run_count,
            {{ side }}.sessions as {{ side }}_session_count,
        {% endfor %}
        if(a.read_ratio = 1, 'read', 'write') as operation,
        a.source_type not in ('raw_tool_output', 'excerpt') or b.source_type not in ('raw_tool_output', 'excerpt')
            as is_printed,
        a.is_generator_bound or b.is_generator_bound as is_generator_bound,
        coalesce(a.job_key = b.job_key, false) and found.difference_count = 0 as is_same_job,
        case
            when found.is_excluded then 'key_differs'
            when greatest(a.worst_check, b.worst_check) = 3 then 'invalid'
            when a.process_count <> b.process_count then 'processes_differ'
        end as reason,
        case
            when found.is_excluded then string_split(found.condition_columns, ', ')
            when greatest(a.worst_check, b.worst_check) = 3
                then string_split(concat_ws(', ', a.check_columns, nullif(b.check_columns, a.check_columns)), ', ')
            when a.process_count <> b.process_count then ['process_count:X']
        end as effects,
        -- of what differs and what a check found only that which excludes
        array_to_string(
            list_sort(
                list_distinct(
                    list_transform(
                        list_filter(effects, lambda each: ends_with(each, ':X')),
                        lambda each: left(each, length(each) - 2)
                    )
                )
            ),
            ', '
        ) as reason_columns,
        compared(
            a.is_latency,
            {% for name in side %}
                a.{{ name }},
            {% endfor %}
            {% for name in side %}
                b.{{ name }},
            {% endfor %}
            margins.margin_ratio
        ) as judgement
    from oriented
    inner join sides as a on oriented.a_operand_id = a.operand_id
    inner join sides as b on oriented.b_operand_id = b.operand_id
    inner join circumstances
        on
            oriented.a_circumstances_id = circumstances.a_circumstances_id
            and oriented.b_circumstances_id = circumstances.b_circumstances_id
    inner join found on circumstances.likeness_id = found.likeness_id and oriented.context_id = found.context_id
    cross join margins

),

-- throughput says the same as operations per second, where there are both
distinct_metrics as (

    select joined.*
    from joined
    anti join joined as faster
        on
            joined.metric = 'throughput_bytes_per_second'
            and faster.metric = 'operations_per_second'
            and joined.pair_id = faster.pair_id
            and joined.workload_id = faster.workload_id
            and joined.basis = faster.basis
            and joined.a_section = faster.a_section
            and joined.b_section = faster.b_section

),

final as (

    select
        * exclude (effects),
        -- one of several ways to a load: the least processes, the later tool, then the best measured
        case
            when reason is null
                then
                    row_number() over (
                        partition by pair_id, workload_id, metric, basis, reason is null
                        order by
                            a_process_count asc nulls last,
                            greatest(a_tool_version, b_tool_version) desc nulls last,
                            a_session_count + b_session_count desc,
                            a_run_count + b_run_count desc,
                            a_section asc,
                            b_section asc
                    )
        end as choice_rank
    from distinct_metrics

)

select * from final
