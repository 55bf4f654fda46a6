{# a value that its source states as a bound is one already #}
{% set is_opened = '(coalesce(checked.is_lower_bound, false) and not coalesce(operands.is_stated_bound, false))' %}
{% set weighed = ['variance', 'degrees', 'lower_half', 'upper_half', 'is_held_back', 'known_kind'] %}
{% set sided = [
    'submission_id', 'configuration_id', 'section', 'device_id', 'device', 'media_class', 'conditions',
    'drive_firmware', 'submitted_by', 'source_type', 'value', 'low', 'high', 'queue_depth', 'n', 'session_count'
] %}

with pairs as (

    select * from {{ ref('int_pairs_in_context') }}
    where question in ('device', 'firmware', 'replication')

),

graded as (

    select * from {{ ref('int_pairs_graded') }}

),

operands as (

    select * from {{ ref('int_operands') }}

),

checked as (

    select * from {{ ref('int_operands_checked') }}

),

job_keys as (

    select * from {{ ref('int_operands_keyed') }}

),

simultaneous as (

    select * from {{ ref('int_runs_simultaneous') }}

),

limits as (

    select max(limit_value) filter (where limit_id = 'margin') as margin_ratio
    from {{ ref('known_limits') }}

),

sides as (

    select
        operands.* replace (
            case
                when not {{ is_opened }} then operands.low
                when operands.metric <> 'latency_mean_seconds' then coalesce(operands.low, operands.value)
            end as low,
            case
                when not {{ is_opened }} then operands.high
                when operands.metric = 'latency_mean_seconds' then coalesce(operands.high, operands.value)
            end as high
        ),
        job_keys.job_key,
        operands.metric = 'latency_mean_seconds' as is_latency,
        coalesce(checked.worst, 0) as worst_check,
        coalesce(checked.verdicts, '') as check_verdicts,
        coalesce(checked.check_columns, '') as check_columns,
        checked.is_generator_bound,
        not coalesce(operands.is_stated_bound, false) as is_held_back,
        -- a rate that something else held back is a lower bound of what the drive can do, a latency an upper one
        case
            when checked.is_lower_bound and operands.metric <> 'latency_mean_seconds' then cast('inf' as double)
            else operands.high_half
        end as upper_half,
        case
            when checked.is_lower_bound and operands.metric = 'latency_mean_seconds' then cast('inf' as double)
            else operands.low_half
        end as lower_half,
        case
            when checked.is_lower_bound and operands.kind in ('none', 'bound') then 'bound'
            when checked.is_lower_bound and not contains(operands.kind, 'bound') then concat('bound+', operands.kind)
            else operands.kind
        end as known_kind
    from operands
    left join checked on operands.operand_id = checked.operand_id
    left join job_keys on operands.operand_id = job_keys.operand_id

),

final as (

    select
        pairs.a_operand_id,
        pairs.b_operand_id,
        a.workload_id,
        a.load_profile,
        a.metric,
        a.basis,
        case when starts_with(a.basis, 'queue_depth=') then a.queue_depth end as queue_depth,
        pairs.question,
        pairs.is_same_bench,
        -- nothing differs but what is compared
        coalesce(a.job_key = b.job_key, false) and graded.difference_count = 0 as is_same_job,
        a.is_unit_unknown or b.is_unit_unknown as is_unit_unknown,
        a.is_generator_bound or b.is_generator_bound as is_generator_bound,
        graded.grade as condition_grade,
        graded.grade_columns,
        graded.reasons,
        graded.unknown_columns,
        graded.unknown_reservation_count,
        a.is_latency,
        simultaneous.a_submission_id is not null as is_simultaneous,
        limits.margin_ratio,
        greatest(a.worst_check, b.worst_check, if(is_simultaneous, 1, 0)) as worst_check,
        {% for side in ['a', 'b'] %}
            {% for column in sided + weighed %}
                {{ side }}.{{ column }} as {{ side }}_{{ column }},
            {% endfor %}
            concat_ws(
                '; ', nullif({{ side }}.check_verdicts, ''), if(is_simultaneous, 'measured at the same time', null)
            ) as {{ side }}_check_verdicts,
            concat_ws(
                ', ', nullif({{ side }}.check_columns, ''), if(is_simultaneous, 'measured at the same time:B', null)
            ) as {{ side }}_check_columns,
        {% endfor %}
        -- two sides that take turns in one session share what that session did to both
        coalesce(
            pairs.is_same_bench
            and a.session_count = 1
            and b.session_count = 1
            and a.first_started_at < b.last_started_at
            and b.first_started_at < a.last_started_at
            and not is_simultaneous,
            false
        ) as is_alternating
    from pairs
    inner join graded
        on
            pairs.a_circumstances_id = graded.a_circumstances_id
            and pairs.b_circumstances_id = graded.b_circumstances_id
            and pairs.context_id = graded.context_id
    inner join sides as a on pairs.a_operand_id = a.operand_id
    inner join sides as b on pairs.b_operand_id = b.operand_id
    left join simultaneous
        on
            a.submission_id = simultaneous.a_submission_id
            and a.configuration_id = simultaneous.a_configuration_id
            and a.workload_id = simultaneous.a_workload_id
            and b.submission_id = simultaneous.b_submission_id
            and b.configuration_id = simultaneous.b_configuration_id
            and b.workload_id = simultaneous.b_workload_id
    cross join limits

)

select * from final
