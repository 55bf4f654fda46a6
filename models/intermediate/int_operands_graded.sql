with pairs as (

    select * from {{ ref('int_operands_paired') }}

),

operands as (

    select * from {{ ref('int_operands_represented') }}

),

grades as (

    select * from {{ ref('int_circumstances_graded') }}

),

final as (

    select
        a.workload_id,
        a.load_profile,
        a.metric,
        a.basis,
        {% for side in ['a', 'b'] %}
            {{ side }}.submission_id as {{ side }}_submission_id,
            {{ side }}.configuration_id as {{ side }}_configuration_id,
            {{ side }}.section as {{ side }}_section,
            {{ side }}.device_id as {{ side }}_device_id,
            {{ side }}.device as {{ side }}_device,
            {{ side }}.media_class as {{ side }}_media_class,
            {{ side }}.conditions as {{ side }}_conditions,
            {{ side }}.operand_value as {{ side }}_value,
            {{ side }}.queue_depth as {{ side }}_queue_depth,
            {{ side }}.repetition_count as {{ side }}_repetition_count,
        {% endfor %}
        grades.comparability_grade,
        grades.comparability_reasons,
        grades.comparability_waivers
    from pairs
    inner join operands as a on pairs.a_operand_id = a.operand_id
    inner join operands as b on pairs.b_operand_id = b.operand_id
    inner join grades
        on
            pairs.a_circumstances_id = grades.a_circumstances_id
            and pairs.b_circumstances_id = grades.b_circumstances_id

)

select * from final
