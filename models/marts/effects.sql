{% set carried = [
    'configuration_id', 'workload_id', 'load_profile', 'value', 'n', 'run_count', 'session_count',
    'log_variance', 'low_half', 'high_half', 'is_stated_bound', 'operand_id', 'read_ratio', 'block_size_bytes'
] %}

with pairs as (

    select * from {{ ref('int_pairs_in_context') }}
    where question = 'replication'

),

varied as (

    select * from {{ ref('int_pairs_in_context') }}
    where question in ('write_share', 'block_size')

),

changes as (

    select * from {{ ref('int_changes_listed') }}

),

measured as (

    select *
    from {{ ref('int_operands') }}
    where own_reason is null

),

checked as (

    select * from {{ ref('int_operands_checked') }}

),

figures as (

    select * from {{ ref('int_figures_admitted') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'margin') as margin_ratio,
        max(limit_value) filter (where limit_id = 'small_block') as small_block_bytes,
        max(limit_value) filter (where limit_id = 'fast_rate') as fast_operations_per_second
    from {{ ref('known_limits') }}

),

-- a rate that was not measured follows from the other one and the block size
operands as materialized (

    select
        *,
        2 * operand_id as operand_key,
        'measured' as value_origin
    from measured
    union all by name
    select
        measured.* replace (
            case measured.metric
                when 'operations_per_second' then 'throughput_bytes_per_second' else 'operations_per_second'
            end as metric,
            case measured.metric
                when 'operations_per_second' then measured.value * measured.block_size_bytes
                else measured.value / measured.block_size_bytes
            end as value
        ),
        2 * measured.operand_id + 1 as operand_key,
        'derived' as value_origin
    from measured
    anti join measured as other_rates
        on
            measured.submission_id = other_rates.submission_id
            and measured.configuration_id = other_rates.configuration_id
            and measured.section = other_rates.section
            and measured.workload_id = other_rates.workload_id
            and measured.basis = other_rates.basis
            and measured.metric <> other_rates.metric
            and other_rates.metric <> 'latency_mean_seconds'
    where measured.metric <> 'latency_mean_seconds' and measured.block_size_bytes is not null

),

-- two configurations that differ in one thing, under the same load
of_configurations as (

    select
        split_part(split_part(changes.changed_name, ' ', 1), '.', 2) as changed_column,
        case
            when contains(changes.changed_name, ' ')
                then substr(changes.changed_name, strpos(changes.changed_name, ' ') + 1)
        end as changed_setting,
        nullif(changes.changed_with, '') as changed_with,
        changes.worst,
        changes.unknown_count,
        -- an area stands before the capacity that it is a part of
        try_cast(split_part(changes.a_text, '/', 1) as double) as a_number,
        try_cast(split_part(changes.b_text, '/', 1) as double) as b_number,
        -- the smaller number first, and what a machine comes with before what was chosen
        case
            when a_number is not null and b_number is not null then a_number > b_number
            else
                (not starts_with(lower(changes.a_text), 'default'), changes.a_text)
                > (not starts_with(lower(changes.b_text), 'default'), changes.b_text)
        end as is_turned,
        case when is_turned then changes.b_text else changes.a_text end as a_text,
        case when is_turned then changes.a_text else changes.b_text end as b_text,
        case when is_turned then pairs.b_operand_id else pairs.a_operand_id end as a_operand_id,
        case when is_turned then pairs.a_operand_id else pairs.b_operand_id end as b_operand_id
    from pairs
    inner join changes using (a_circumstances_id, b_circumstances_id, context_id)

),

-- two loads of one configuration that differ in one member of the workload
of_workloads as (

    select
        case pairs.question when 'write_share' then 'read_ratio' else 'block_size_bytes' end as changed_column,
        if(found.is_excluded, 3, 0) as worst,
        found.unknown_count,
        pairs.a_operand_id,
        pairs.b_operand_id
    from varied as pairs
    inner join {{ ref('int_pair_effects') }} as found using (a_circumstances_id, b_circumstances_id, context_id)

),

of_both as (

    select * exclude (a_number, b_number, is_turned)
    from of_configurations
    union all by name
    select * from of_workloads

),

-- each side is joined on its own, because joining the sides to each other first would pair everything with everything
with_a as materialized (

    select
        of_both.* exclude (a_operand_id),
        a.operand_key as a_operand_key,
        a.metric
    from of_both
    inner join operands as a on of_both.a_operand_id = a.operand_id

),

changed as (

    select
        with_a.* exclude (b_operand_id, metric),
        b.operand_key as b_operand_key
    from with_a
    inner join operands as b on with_a.b_operand_id = b.operand_id and with_a.metric = b.metric

),

placed_a as materialized (

    select
        changed.*,
        a.submission_id,
        a.section,
        a.metric,
        a.load_basis,
        a.basis,
        a.device_id,
        a.device,
        a.access_pattern,
        a.block_size_bytes,
        a.value_origin,
        {% for column in carried %}
            a.{{ column }} as a_{{ column }},
        {% endfor %}
        a.metric = 'latency_mean_seconds' as is_latency
    from changed
    inner join operands as a on changed.a_operand_key = a.operand_key

),

placed as (

    select
        {% for column in carried %}
            b.{{ column }} as b_{{ column }},
        {% endfor %}
        placed_a.*
    from placed_a
    inner join operands as b on placed_a.b_operand_key = b.operand_key

),

judged as (

    select
        placed.* replace (
            {% for side in ['a', 'b'] %}
                case
                    when changed_column = 'read_ratio' then cast({{ side }}_read_ratio as varchar)
                    when changed_column = 'block_size_bytes' then cast({{ side }}_block_size_bytes as varchar)
                    else {{ side }}_text
                end as {{ side }}_text{{ ',' if not loop.last }}
            {% endfor %}
        ),
        limits.*,
        greatest(placed.worst, coalesce(of_a.worst, 0), coalesce(of_b.worst, 0)) < 3 as is_comparable,
        list_concat(coalesce(of_a.verdicts, []), coalesce(of_b.verdicts, [])) as validity_verdicts,
        compared(
            is_latency,
            {% for side in ['a', 'b'] %}
                ln({{ side }}_value), {{ side }}_run_count, {{ side }}_session_count, {{ side }}_n,
                {{ side }}_log_variance, {{ side }}_low_half, {{ side }}_high_half,
                coalesce(of_{{ side }}.is_lower_bound, false), basis = 'peak', {{ side }}_is_stated_bound,
            {% endfor %}
            limits.margin_ratio
        ) as judgement
    from placed
    left join checked as of_a on placed.a_operand_id = of_a.operand_id
    left join checked as of_b on placed.b_operand_id = of_b.operand_id
    cross join limits

),

final as (

    select
        submission_id,
        changed_column,
        changed_setting,
        changed_with,
        a_configuration_id,
        b_configuration_id,
        a_text,
        b_text,
        section,
        a_workload_id,
        a_load_profile,
        b_workload_id,
        b_load_profile,
        access_pattern,
        metric,
        load_basis,
        basis,
        device_id,
        device,
        cast(null as varchar) as figure_id,
        a_value,
        b_value,
        value_origin,
        case when is_latency then a_value / b_value else b_value / a_value end as effect_ratio,
        round(1 / judgement['ratio_high'], 12) as effect_ratio_low,
        round(1 / judgement['ratio_low'], 12) as effect_ratio_high,
        coalesce(judgement['ratio_interval_kind'], 'none') as effect_ratio_interval_kind,
        -- of what cannot be compared nothing is faster
        case when is_comparable then judgement['verdict'] end as verdict,
        is_comparable,
        validity_verdicts,
        case
            when try_cast(a_text as double) > 0 and try_cast(b_text as double) > 0
                then
                    round(
                        ln(case when is_latency then a_value / b_value else b_value / a_value end)
                        / ln(try_cast(b_text as double) / try_cast(a_text as double)),
                        12
                    )
        end as elasticity_ratio,
        coalesce(
            metric = 'operations_per_second'
            and greatest(a_value, b_value) > fast_operations_per_second
            and block_size_bytes <= small_block_bytes,
            false
        ) as is_processor_relevant,
        unknown_count as unknown_column_count
    from judged
    union all by name
    -- gains that a source states in percent, with no numbers to divide
    select
        submission_id,
        'stated gain' as changed_column,
        configuration_id as b_configuration_id,
        printed_text as b_text,
        section,
        load_profile as b_load_profile,
        device,
        figure_id,
        'stated' as value_origin,
        (100 + printed_value) / 100 as effect_ratio,
        false as is_processor_relevant
    from figures
    where record_kind = 'ratio' and printed_unit = '%' and printed_value is not null

)

select * from final
