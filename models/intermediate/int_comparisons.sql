{{ config(materialized='table') }}

{% set side = [
    'mean_logarithm', 'run_count', 'session_count', 'n', 'log_variance', 'low_half', 'high_half', 'is_held_back',
    'is_peak', 'is_stated_bound'
] %}
{% set margin = "(select limit_value from " ~ ref('known_limits') ~ " where limit_id = 'margin')" %}

with sides as (

    select
        operands.*,
        checked.job_key,
        checked.is_generator_bound,
        coalesce(checked.exclusions, []) as exclusions,
        coalesce(checked.is_lower_bound, false) as is_held_back,
        operands.basis = 'peak' as is_peak,
        operands.source_type not in ('raw_tool_output', 'excerpt') as is_printed
    from {{ ref('int_operands') }} as operands
    left join {{ ref('int_operands_checked') }} as checked using (operand_id)

),

joined as (

    select
        pairs.* exclude (own_reason),
        {% for name in ['a', 'b'] %}
            {% for column in ['submission_id', 'configuration_id', 'section', 'point_id'] %}
                {{ name }}.{{ column }} as {{ name }}_{{ column }},
            {% endfor %}
        {% endfor %}
        a.process_count,
        greatest(a.tool_version, b.tool_version) as tool_version,
        coalesce(a.session_count, 1) + coalesce(b.session_count, 1) as session_count,
        if(a.is_peak, 2, coalesce(a.run_count, 1) + coalesce(b.run_count, 1)) as run_count,
        if(a.read_ratio = 1, 'read', 'write') as operation,
        a.is_printed or b.is_printed as is_printed,
        coalesce(a.is_generator_bound or b.is_generator_bound, false) as is_generator_bound,
        coalesce(a.job_key = b.job_key, false) and found.difference_count = 0 as is_same_job,
        case
            when found.is_excluded then 'key_differs'
            when len(a.exclusions) + len(b.exclusions) > 0 then 'invalid'
            when a.process_count <> b.process_count then 'processes_differ'
        end as reason,
        list_sort(
            list_distinct(
                case reason
                    when 'key_differs' then found.excluding_names
                    when 'invalid' then list_concat(a.exclusions, b.exclusions)
                    when 'processes_differ' then ['process_count']
                end
            )
        ) as reason_columns,
        compared(
            a.metric = 'latency_mean_seconds',
            {% for name in ['a', 'b'] %}
                {% for column in side %}
                    {{ name }}.{{ column }},
                {% endfor %}
            {% endfor %}
            {{ margin }}
        ) as judgement
    from {{ ref('int_pairs_in_context') }} as pairs
    inner join sides as a on pairs.a_operand_id = a.operand_id
    inner join sides as b on pairs.b_operand_id = b.operand_id
    inner join {{ ref('int_pair_effects') }} as found
        using (a_circumstances_id, b_circumstances_id, context_id)
    where pairs.question in ('device', 'firmware', 'specimen', 'replication')

),

final as (

    select
        joined.*,
        -- one of several ways to a load: the least processes, the later tool, then the best measured
        row_number() over (
            partition by pair_id, workload_id, metric, basis, reason is null
            order by
                process_count asc nulls last,
                tool_version desc nulls last,
                session_count desc,
                run_count desc,
                a_section asc,
                b_section asc
        ) as choice_rank,
        -- how many other ways to the same load there are, and how far the ratios of those that may be compared go
        cast(count(*) over choices - 1 as bigint) as choice_count,
        min(case when reason is null then judgement['ratio'] end) over choices as lowest_ratio,
        max(case when reason is null then judgement['ratio'] end) over choices as highest_ratio
    from joined
    -- throughput says the same as operations per second, where there are both
    anti join joined as faster
        on
            joined.metric = 'throughput_bytes_per_second'
            and faster.metric = 'operations_per_second'
            and joined.pair_id = faster.pair_id
            and joined.workload_id = faster.workload_id
            and joined.basis = faster.basis
            and joined.a_section = faster.a_section
            and joined.b_section = faster.b_section
    window choices as (partition by pair_id, workload_id, metric, basis)

)

select * from final
