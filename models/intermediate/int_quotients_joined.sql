{{ config(materialized='table') }}

{% set sided = [
    'submission_id', 'configuration_id', 'section', 'device_id', 'device', 'media_class', 'conditions',
    'drive_firmware', 'submitted_by', 'source_type', 'value', 'low', 'high', 'queue_depth', 'n', 'session_count'
] %}

with judged as (

    select * from {{ ref('int_quotients_judged') }}
    where reason is null

),

operands as (

    select * from {{ ref('int_operands') }}

),

job_keys as (

    select * from {{ ref('int_operands_keyed') }}

),

at_loads as (

    select
        judged.a_operand_id,
        judged.b_operand_id,
        a.workload_id,
        a.load_profile,
        a.metric,
        a.basis,
        case when starts_with(a.basis, 'queue_depth=') then a.queue_depth end as queue_depth,
        {% for side in ['a', 'b'] %}
            {% for column in sided %}
                {{ side }}.{{ column }} as {{ side }}_{{ column }},
            {% endfor %}
        {% endfor %}
        a.is_unit_unknown or b.is_unit_unknown as is_unit_unknown,
        judged.question,
        judged.margin_ratio,
        judged.judgement,
        judged.member,
        judged.judgement['kind'] as kind,
        judged.is_same_bench,
        -- nothing differs but what is compared
        coalesce(a_keys.job_key = b_keys.job_key, false) and judged.difference_count = 0 as is_same_job,
        judged.unknown_columns,
        judged.a_is_generator_bound or judged.b_is_generator_bound as is_generator_bound,
        concat_ws(
            ', ',
            nullif(judged.grade_columns, ''),
            nullif(judged.a_check_columns, ''),
            nullif(nullif(judged.b_check_columns, judged.a_check_columns), '')
        ) as grade_columns,
        concat_ws(
            '; ',
            nullif(judged.reasons, ''),
            nullif(judged.a_check_verdicts, ''),
            nullif(nullif(judged.b_check_verdicts, judged.a_check_verdicts), '')
        ) as reasons,
        judged.unknown_reservation_count,
        case
            when judged.worst_check = 2 then 'C'
            when judged.condition_grade = 'A' and judged.worst_check = 1 then 'B'
            else judged.condition_grade
        end as comparability_grade
    from judged
    inner join operands as a on judged.a_operand_id = a.operand_id
    inner join operands as b on judged.b_operand_id = b.operand_id
    left join job_keys as a_keys on judged.a_operand_id = a_keys.operand_id
    left join job_keys as b_keys on judged.b_operand_id = b_keys.operand_id

),

low_depths as (

    select
        workload_id,
        metric,
        'low_depth' as basis,
        {% for side in ['a', 'b'] %}
            {{ side }}_submission_id,
            {{ side }}_configuration_id,
            {{ side }}_section,
            min({{ side }}_operand_id) as {{ side }}_operand_id,
            {% for column in sided[3:10] %}
                min({{ side }}_{{ column }}) as {{ side }}_{{ column }},
            {% endfor %}
            -- twelve digits: what passes through logarithms differs behind them between processors
            cast(format('{:.11e}', exp(avg(ln({{ side }}_value) order by queue_depth))) as double) as {{ side }}_value,
            min({{ side }}_n) as {{ side }}_n,
            min({{ side }}_session_count) as {{ side }}_session_count,
        {% endfor %}
        min(load_profile) as load_profile,
        min(question) as question,
        min(margin_ratio) as margin_ratio,
        judged_mean(list(member order by queue_depth), min(margin_ratio)) as judgement,
        bool_and(is_same_bench) as is_same_bench,
        bool_and(is_same_job) as is_same_job,
        min(unknown_columns) as unknown_columns,
        bool_or(is_generator_bound) as is_generator_bound,
        bool_or(is_unit_unknown) as is_unit_unknown,
        string_agg(nullif(grade_columns, ''), ', ') as grade_columns,
        string_agg(nullif(reasons, ''), '; ') as reasons,
        max(unknown_reservation_count) as unknown_reservation_count,
        max(comparability_grade) as comparability_grade,
        string_agg(queue_depth, ', ' order by queue_depth) as queue_depths
    from at_loads
    where queue_depth in (1, 2, 4) and metric <> 'latency_mean_seconds'
    group by
        workload_id,
        metric,
        a_submission_id,
        a_configuration_id,
        a_section,
        b_submission_id,
        b_configuration_id,
        b_section
    having count(*) >= 2

),

final as (

    select * from at_loads
    union all by name
    select
        * replace (
            array_to_string(list_sort(list_distinct(string_split(coalesce(grade_columns, ''), ', '))), ', ')
                as grade_columns,
            array_to_string(list_sort(list_distinct(string_split(coalesce(reasons, ''), '; '))), '; ') as reasons
        )
    from low_depths

)

select * from final
