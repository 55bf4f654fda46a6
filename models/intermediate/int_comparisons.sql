{{ config(materialized='table') }}

{% set side = [
    'mean_logarithm', 'run_count', 'session_count', 'n', 'log_variance', 'low_half', 'high_half', 'is_held_back',
    'is_peak', 'is_stated_bound'
] %}
{% set carried = ['submission_id', 'configuration_id', 'section', 'point_id', 'process_count', 'tool_version'] %}

with sides as (

    select
        operands.*,
        checked.job_key,
        concat(operands.submission_id, '/', operands.configuration_id) as side_name,
        row(coalesce(operands.device_id, ''), operands.submission_id, operands.configuration_id) as place,
        coalesce(checked.worst, 0) as worst_check,
        checked.exclusions,
        coalesce(checked.is_generator_bound, false) as is_generator_bound,
        coalesce(checked.is_lower_bound, false) as is_held_back,
        operands.basis = 'peak' as is_peak,
        operands.source_type not in ('raw_tool_output', 'excerpt') as is_printed
    from {{ ref('int_operands') }} as operands
    left join {{ ref('int_operands_checked') }} as checked using (operand_id)

),

-- A is the smaller by device, submission and configuration
oriented as (

    select
        b.place < a.place as is_turned,
        if(is_turned, pairs.b_operand_id, pairs.a_operand_id) as a_operand_id,
        if(is_turned, pairs.a_operand_id, pairs.b_operand_id) as b_operand_id,
        pairs.question,
        pairs.is_same_bench,
        pairs.a_circumstances_id,
        pairs.b_circumstances_id,
        pairs.context_id
    from {{ ref('int_pairs_in_context') }} as pairs
    inner join sides as a on pairs.a_operand_id = a.operand_id
    inner join sides as b on pairs.b_operand_id = b.operand_id
    where pairs.question in ('device', 'firmware', 'specimen', 'replication')

),

joined as (

    select
        oriented.*,
        left(md5(concat(least(a.side_name, b.side_name), ' ', greatest(a.side_name, b.side_name))), 16) as pair_id,
        a.workload_id,
        a.metric,
        if(a.is_peak, null, a.queue_depth) as queue_depth,
        a.basis,
        {% for name in ['a', 'b'] %}
            {% for column in carried %}
                {{ name }}.{{ column }} as {{ name }}_{{ column }},
            {% endfor %}
            if({{ name }}.is_peak, 1, coalesce({{ name }}.run_count, 1)) as {{ name }}_run_count,
            coalesce({{ name }}.session_count, 1) as {{ name }}_session_count,
        {% endfor %}
        if(a.read_ratio = 1, 'read', 'write') as operation,
        a.is_printed or b.is_printed as is_printed,
        a.is_generator_bound or b.is_generator_bound as is_generator_bound,
        coalesce(a.job_key = b.job_key, false) and found.difference_count = 0 as is_same_job,
        case
            when found.is_excluded then 'key_differs'
            when greatest(a.worst_check, b.worst_check) = 3 then 'invalid'
            when a.process_count <> b.process_count then 'processes_differ'
        end as reason,
        found.excluding_names,
        list_concat(coalesce(a.exclusions, []), coalesce(b.exclusions, [])) as check_names,
        compared(
            a.metric = 'latency_mean_seconds',
            {% for name in ['a', 'b'] %}
                {% for column in side %}
                    {{ name }}.{{ column }},
                {% endfor %}
            {% endfor %}
            margins.limit_value
        ) as judgement
    from oriented
    inner join sides as a on oriented.a_operand_id = a.operand_id
    inner join sides as b on oriented.b_operand_id = b.operand_id
    inner join
        {{ ref('int_pair_effects') }} as found
        using (a_circumstances_id, b_circumstances_id, context_id)
    inner join {{ ref('known_limits') }} as margins on margins.limit_id = 'margin'

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
        * exclude (excluding_names, check_names),
        list_sort(
            list_distinct(
                case reason
                    when 'key_differs' then excluding_names
                    when 'invalid' then check_names
                    when 'processes_differ' then ['process_count']
                end
            )
        ) as reason_columns,
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
