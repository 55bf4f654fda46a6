{% set sided = [
    'submission_id', 'configuration_id', 'section', 'device_id', 'device', 'media_class', 'conditions',
    'drive_firmware', 'source_type', 'value', 'low', 'high', 'queue_depth', 'n', 'session_count'
] %}

{# what the words about a pair are made of #}
{% set cased = [
    'own_verdict', 'own_reason', 'a_known_n', 'b_known_n', 'a_known_session_count', 'b_known_session_count',
    'comparability_grade', 'unknown_columns', 'answer', 'is_printed', 'is_same_submission', 'is_same_bench', 'is_same_job'
] %}

with judged as (

    select * from {{ ref('int_quotients_joined') }}

),

answered as (

    select * from {{ ref('int_quotients_answered') }}

),

keyed as not materialized (

    select
        judged.*,
        answered.answer,
        judged.judgement['verdict'] as own_verdict,
        judged.judgement['reason'] as own_reason,
        judged.a_submission_id = judged.b_submission_id as is_same_submission,
        {% for side in ['a', 'b'] %}
            coalesce(judged.{{ side }}_source_type in ('raw_tool_output', 'excerpt'), false) as {{ side }}_is_raw,
            -- how often a printed figure was measured is not known
            {% for count in ['n', 'session_count'] %}
                case when {{ side }}_is_raw then cast(judged.{{ side }}_{{ count }} as bigint) end
                    as {{ side }}_known_{{ count }},
            {% endfor %}
        {% endfor %}
        not a_is_raw or not b_is_raw as is_printed,
        hash(row({{ cased | join(', ') }})) as case_id
    from judged
    left join answered
        on
            judged.a_operand_id = answered.a_operand_id
            and judged.b_operand_id = answered.b_operand_id
            and judged.basis = answered.basis

),

-- millions of pairs are few cases to words, which take longer than all else here
cases as (

    select distinct
        case_id,
        {{ cased | join(',\n        ') }}
    from keyed

),

worded as (

    select
        case_id,
        -- who has seen it is the same in both orders
        coalesce(answer, evidence_level(is_printed, is_same_submission, is_same_bench, is_same_job)) as evidence,
        case
            when starts_with(own_verdict, 'A ') then concat('B', own_verdict[2:])
            when starts_with(own_verdict, 'B ') then concat('A', own_verdict[2:])
            else own_verdict
        end as turned_verdict,
        verdict_words(
            own_verdict, own_reason, a_known_n, b_known_n, a_known_session_count, b_known_session_count,
            comparability_grade, unknown_columns, evidence
        ) as own_words,
        verdict_words(
            turned_verdict, own_reason, b_known_n, a_known_n, b_known_session_count, a_known_session_count,
            comparability_grade, unknown_columns, evidence
        ) as turned_words
    from cases

),

witnessed as (

    select
        keyed.*,
        worded.* exclude (case_id),
        concat_ws(
            '; ',
            nullif(keyed.reasons, ''),
            case
                when keyed.unknown_reservation_count > 0
                    then
                        concat(
                            keyed.unknown_reservation_count,
                            ' further condition',
                            case when keyed.unknown_reservation_count > 1 then 's' end,
                            ' unknown'
                        )
            end
        ) as comparability_reasons
    from keyed
    inner join worded on keyed.case_id = worded.case_id

),

orders as (

    select unnest([false, true]) as is_turned

),

-- each pair stands here twice, once with A first and once with B first
turned as (

    select
        witnessed.* replace (
            {% for side, other in [['a', 'b'], ['b', 'a']] %}
                {% for column in sided %}
                    if(is_turned, {{ other }}_{{ column }}, {{ side }}_{{ column }}) as {{ side }}_{{ column }}
                    {{- ',' if not loop.last }}
                {% endfor %}
                {{- ',' if not loop.last }}
            {% endfor %}
        ),
        orders.is_turned
    from witnessed
    cross join orders

),

divided as (

    select
        * exclude (judgement, is_turned),
        metric = 'latency_mean_seconds' as is_lower_better,
        case
            when judgement['ratio'] is null then null
            when metric = 'latency_mean_seconds' then b_value / a_value
            else a_value / b_value
        end as quotient_ratio,
        case
            when judgement['low'] is null and judgement['high'] is null then null
            when not is_turned then coalesce(judgement['low'], 0)
            when judgement['high'] is null then 0
            else 1 / judgement['high']
        end as low_ratio,
        case
            when not is_turned then judgement['high']
            when judgement['low'] > 0 then 1 / judgement['low']
        end as high_ratio,
        judgement['kind'] as uncertainty_kind,
        judgement['p_value'] as p_value,
        if(is_turned, turned_verdict, own_verdict) as verdict,
        if(is_turned, turned_words, own_words) as verdict_words,
        judgement['verdict_basis'] as verdict_basis,
        judgement['reason'] as verdict_reason
    from turned

),

scaled as (

    select
        *,
        case metric
            when 'operations_per_second' then 1e6
            when 'throughput_bytes_per_second' then 1e3
            else 1e12
        end as steps_per_unit
    from divided

),

counted as (

    select
        *,
        cast(round(steps_per_unit * case when is_lower_better then b_value else a_value end) as hugeint) as dividend,
        cast(round(steps_per_unit * case when is_lower_better then a_value else b_value end) as hugeint) as divisor
    from scaled

),

rounded as (

    select
        *,
        -- floor(10 q + 1/2) in whole numbers: half up is exact, which it is not in binary fractions
        case when quotient_ratio is not null then (20 * dividend + divisor) // (2 * divisor) end as tenths,
        -- where something held back one side, the verdict says of which the quotient of both values is an end
        case
            when coalesce(quotient_ratio, low_ratio, high_ratio) is not null or not regexp_matches(verdict, '^[AB] ')
                then null
            when is_lower_better then b_value / a_value
            else a_value / b_value
        end as end_ratio,
        coalesce(quotient_ratio, nullif(low_ratio, 0), high_ratio, end_ratio) as shown_ratio,
        cast(format('{:.2e}', shown_ratio) as double) as three_digits,
        case
            when quotient_ratio is not null then ''
            when end_ratio is not null then if(starts_with(verdict, 'A '), '≥ ', '≤ ')
            when low_ratio > 0 then '> '
            else '< '
        end as relation
    from counted

),

-- the factor from 1 on and its interval, as the faster side sees them; an end alone is about that side
seen as (

    select
        *,
        coalesce(quotient_ratio < 1, coalesce(low_ratio, 0) = 0 and high_ratio is not null) as is_b_faster,
        case when is_b_faster then 1 / quotient_ratio else quotient_ratio end as factor_ratio,
        case when is_b_faster then 1 / high_ratio else low_ratio end as factor_low_ratio,
        case when is_b_faster then 1 / nullif(low_ratio, 0) else high_ratio end as factor_high_ratio,
        coalesce(factor_ratio, factor_low_ratio, factor_high_ratio) as first_ratio,
        greatest(factor_ratio, factor_low_ratio, factor_high_ratio)
        - least(factor_ratio, factor_low_ratio, factor_high_ratio) as width,
        -- without it no further digit means anything; rounding alone says nothing of how far runs lie apart
        uncertainty_kind not in ('none', 'rounding') as is_spread_known,
        least(
            abs(nullif(factor_ratio - 1, 0)),
            abs(nullif(factor_low_ratio - 1, 0)),
            abs(nullif(factor_high_ratio - 1, 0))
        ) as distance_from_one
    from rounded

),

final as (

    select
        workload_id,
        load_profile,
        metric,
        basis,
        queue_depth,
        {% for side in ['a', 'b'] %}
            {{ side }}_submission_id,
            {{ side }}_configuration_id,
            {{ side }}_section,
            {{ side }}_device,
            {{ side }}_device_id,
            {{ side }}_media_class,
            {{ side }}_drive_firmware,
            case when not is_unit_unknown then {{ side }}_value end as {{ side }}_value,
            case when not is_unit_unknown then {{ side }}_low end as {{ side }}_low_value,
            case when not is_unit_unknown then {{ side }}_high end as {{ side }}_high_value,
            {{ side }}_queue_depth,
            {{ side }}_n as {{ side }}_repetition_count,
            cast({{ side }}_session_count as bigint) as {{ side }}_session_count,
            {{ side }}_conditions,
        {% endfor %}
        quotient_ratio,
        {% for end in ['low_ratio', 'high_ratio'] %}
            -- twelve digits of a small number too, whose inverse is an end of the other order
            round({{ end }}, coalesce(greatest(12, cast(11 - floor(log10(nullif({{ end }}, 0))) as integer)), 12))
                as {{ end }},
        {% endfor %}
        uncertainty_kind,
        round(p_value, 12) as p_value,
        cast(tenths // 10 as varchar) || '.' || cast(tenths % 10 as varchar) as quotient_rounded_text,
        case
            -- both sides are bounds, or nothing decides: nothing is left to show
            when shown_ratio is null then 'unknown'
            when three_digits >= 100 then relation || format('{:.0f}', three_digits)
            when three_digits >= 10 then relation || format('{:.1f}', three_digits)
            when three_digits >= 1 then relation || format('{:.2f}', three_digits)
            when three_digits >= 0.1 then relation || format('{:.3f}', three_digits)
            when three_digits >= 0.01 then relation || format('{:.4f}', three_digits)
            else relation || cast(three_digits as varchar)
        end as quotient_display_text,
        verdict,
        verdict_basis,
        verdict_reason,
        margin_ratio,
        question,
        evidence,
        comparability_grade,
        comparability_reasons,
        grade_columns,
        unknown_reservation_count,
        is_generator_bound,
        -- three digits, at least two of them behind the point up to 10; more where the interval of several runs is
        -- narrow, and where its end beside 1 would be shown as 1
        cast(
            greatest(
                case when first_ratio >= 100 then 0 when first_ratio >= 10 then 1 else 2 end,
                case
                    when not is_spread_known or width <= 0 then 0
                    when width < 0.001 then 4
                    when width < 0.01 then 3
                    when width < 0.1 then 2
                end,
                case
                    when not is_spread_known then 0
                    when distance_from_one < 0.000005 then 6
                    when distance_from_one < 0.00005 then 5
                    when distance_from_one < 0.0005 then 4
                    when distance_from_one < 0.005 then 3
                    when distance_from_one < 0.05 then 2
                    when distance_from_one < 0.5 then 1
                end
            ) as bigint
        ) as decimal_count,
        verdict_words
    from seen

)

select * from final
