with judged as (

    select * from {{ ref('int_quotients_judged') }}
    where reason is null

),

final as (

    select
        * exclude (
            reason,
            condition_grade,
            worst_check,
            {% for side in ['a', 'b'] %}
                {{ side }}_check_columns, {{ side }}_check_verdicts{{ ',' if not loop.last }}
            {% endfor %}
        ) replace (
            concat_ws(
                ', ',
                nullif(grade_columns, ''),
                nullif(a_check_columns, ''),
                nullif(nullif(b_check_columns, a_check_columns), '')
            ) as grade_columns,
            concat_ws(
                '; ',
                nullif(reasons, ''),
                nullif(a_check_verdicts, ''),
                nullif(nullif(b_check_verdicts, a_check_verdicts), '')
            ) as reasons
        ),
        judgement['kind'] as kind,
        case
            when worst_check = 2 then 'C'
            when condition_grade = 'A' and worst_check = 1 then 'B'
            else condition_grade
        end as comparability_grade
    from judged

)

select * from final
