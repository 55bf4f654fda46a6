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

final as (

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

)

select * from final
