{{ config(materialized='table') }}

{% set sided = [
    'device_id', 'device', 'media_class', 'conditions', 'drive_firmware', 'submitted_by', 'source_type'
] %}

{% set by_depth = 'list_grade_up(list(queue_depth))' %}

with at_loads as (

    select * from {{ ref('int_quotients_at_loads') }}
    where queue_depth in (1, 2, 4) and metric <> 'latency_mean_seconds'

),

averaged as (

    select
        workload_id,
        metric,
        'low_depth' as basis,
        {% for side in ['a', 'b'] %}
            {{ side }}_submission_id,
            {{ side }}_configuration_id,
            {{ side }}_section,
            min({{ side }}_operand_id) as {{ side }}_operand_id,
            {% for column in sided %}
                min({{ side }}_{{ column }}) as {{ side }}_{{ column }},
            {% endfor %}
            -- twelve digits: what passes through logarithms differs behind them between processors
            cast(
                format('{:.11e}', exp(list_avg(list_select(list(ln({{ side }}_value)), {{ by_depth }})))) as double
            ) as {{ side }}_value,
            min({{ side }}_n) as {{ side }}_n,
            min({{ side }}_session_count) as {{ side }}_session_count,
        {% endfor %}
        min(load_profile) as load_profile,
        min(question) as question,
        min(margin_ratio) as margin_ratio,
        judged_mean(list_select(list(member), {{ by_depth }}), min(margin_ratio)) as judgement,
        bool_and(is_same_bench) as is_same_bench,
        bool_and(is_same_job) as is_same_job,
        min(unknown_columns) as unknown_columns,
        bool_or(is_generator_bound) as is_generator_bound,
        bool_or(is_unit_unknown) as is_unit_unknown,
        string_agg(nullif(grade_columns, ''), ', ') as grade_columns,
        string_agg(nullif(reasons, ''), '; ') as reasons,
        max(unknown_reservation_count) as unknown_reservation_count,
        max(comparability_grade) as comparability_grade,
        array_to_string(list_sort(list(queue_depth)), ', ') as queue_depths
    from at_loads
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

    select
        * replace (
            array_to_string(list_sort(list_distinct(string_split(coalesce(grade_columns, ''), ', '))), ', ')
                as grade_columns,
            array_to_string(list_sort(list_distinct(string_split(coalesce(reasons, ''), '; '))), '; ') as reasons
        )
    from averaged

)

select * from final
