{{ config(materialized='table') }}

-- only devices and firmware that are known can be met again by somebody else
with comparable as (

    select * from {{ ref('int_quotients_joined') }}
    where
        a_device_id <> b_device_id
        and a_drive_firmware is not null
        and b_drive_firmware is not null
        and comparability_grade in ('A', 'B')
        and coalesce(judgement['low'], judgement['high']) is not null
        -- rounding says nothing of how far runs lie apart: two quotients of it would always contradict each other
        and judgement['kind'] is distinct from 'rounding'

),

-- two submissions may name their devices in different order: here both have one
ordered as (

    select
        a_operand_id,
        b_operand_id,
        workload_id,
        metric,
        basis,
        queue_depths,
        a_submitted_by,
        b_submitted_by,
        a_device_id > b_device_id as is_turned,
        {% for column in ['device_id', 'drive_firmware'] %}
            if(is_turned, b_{{ column }}, a_{{ column }}) as first_{{ column }},
            if(is_turned, a_{{ column }}, b_{{ column }}) as second_{{ column }},
        {% endfor %}
        if(is_turned, 1 / judgement['high'], judgement['low']) as low_ratio,
        if(is_turned, 1 / judgement['low'], judgement['high']) as high_ratio,
        if(is_turned, translate(judgement['verdict'][:1], 'AB', 'BA'), judgement['verdict'][:1])
        || judgement['verdict'][2:] as verdict
    from comparable

),

final as (

    select
        own.a_operand_id,
        own.b_operand_id,
        own.basis,
        -- one pair that contradicts weighs more than one that agrees
        min(
            replication(
                own.low_ratio, own.high_ratio, other.low_ratio, other.high_ratio, own.verdict = other.verdict
            )
        ) as answer
    from ordered as own
    inner join ordered as other
        on
            own.workload_id = other.workload_id
            and own.metric = other.metric
            and own.basis = other.basis
            and own.first_device_id = other.first_device_id
            and own.second_device_id = other.second_device_id
            and own.first_drive_firmware = other.first_drive_firmware
            and own.second_drive_firmware = other.second_drive_firmware
            and own.queue_depths is not distinct from other.queue_depths
    where
        own.a_submitted_by not in (other.a_submitted_by, other.b_submitted_by)
        and own.b_submitted_by not in (other.a_submitted_by, other.b_submitted_by)
    group by own.a_operand_id, own.b_operand_id, own.basis

)

select * from final
