{{ config(materialized='table') }}

{# what decides the verdict and is asked for by nothing behind it #}
{% set weighed = ['variance', 'degrees', 'lower_half', 'upper_half', 'is_held_back', 'known_kind'] %}

with sided as (

    select * from {{ ref('int_quotients_sided') }}

),

judged as (

    select
        *,
        case
            when condition_grade = 'X' then 'key_differs'
            when worst_check = 3 then 'invalid'
        end as reason,
        case
            when condition_grade <> 'X' and worst_check < 3
                then
                    judged(
                        is_latency,
                        {% for side in ['a', 'b'] %}
                            {{ side }}_value, {{ side }}_variance, {{ side }}_degrees, {{ side }}_lower_half,
                            {{ side }}_upper_half, coalesce({{ side }}_session_count, 1) < 3 and not is_alternating,
                            {{ side }}_is_held_back,
                        {% endfor %}
                        margin_ratio, a_known_kind, b_known_kind
                    )
        end as judgement
    from sided

),

final as (

    select
        * exclude (
            {% for side in ['a', 'b'] %}
                {% for column in weighed %}
                    {{ side }}_{{ column }},
                {% endfor %}
            {% endfor %}
            is_latency,
            is_simultaneous,
            is_alternating
        ),
        -- what a geometric mean over several quotients needs of each
        case
            when reason is null
                then
                    {
                        'logarithm': case when is_latency then ln(b_value / a_value) else ln(a_value / b_value) end,
                        'variance': judgement['variance'],
                        'degrees': judgement['degrees'],
                        -- an open end stays open, whether or not the other half is known
                        {% for end, own, other in [
                            ['low_half', 'lower_half', 'upper_half'], ['high_half', 'upper_half', 'lower_half'],
                        ] %}
                            '{{ end }}': case
                                when
                                    greatest(
                                        if(is_latency, b_{{ own }}, a_{{ own }}),
                                        if(is_latency, a_{{ other }}, b_{{ other }})
                                    ) = cast('inf' as double)
                                    then cast('inf' as double)
                                when is_latency then b_{{ own }} + a_{{ other }}
                                else a_{{ own }} + b_{{ other }}
                            end,
                        {% endfor %}
                        -- what the session adds is shared by all members of a mean
                        'session_variance': greatest(
                            judgement['variance']
                            - case when a_degrees is not null then a_variance end
                            - case when b_degrees is not null then b_variance end,
                            0
                        )
                    }
        end as member
    from judged

)

select * from final
