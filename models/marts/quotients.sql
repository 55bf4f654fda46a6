with operands as (

    select * from {{ ref('int_operands_graded') }}

),

allowed as (

    select
        *,
        metric = 'latency_mean_seconds' as is_lower_better,
        case metric
            when 'operations_per_second' then 1e6
            when 'throughput_bytes_per_second' then 1e3
            else 1e12
        end as steps_per_unit
    from operands
    where comparability_grade <> 'X'

),

divided as (

    select
        *,
        case when is_lower_better then b_value / a_value else a_value / b_value end as quotient_ratio,
        cast(round(steps_per_unit * case when is_lower_better then b_value else a_value end) as hugeint) as dividend,
        cast(round(steps_per_unit * case when is_lower_better then a_value else b_value end) as hugeint) as divisor
    from allowed

),

rounded as (

    select
        *,
        -- floor(10 q + 1/2) in whole numbers: half up is exact, which it is not in binary fractions
        (20 * dividend + divisor) // (2 * divisor) as tenths,
        cast(format('{:.2e}', quotient_ratio) as double) as three_digits
    from divided

),

final as (

    select
        workload_id,
        load_profile,
        metric,
        basis,
        case when starts_with(basis, 'queue_depth=') then a_queue_depth end as queue_depth,
        a_submission_id,
        a_configuration_id,
        a_section,
        a_device,
        a_device_id,
        a_media_class,
        b_submission_id,
        b_configuration_id,
        b_section,
        b_device,
        b_device_id,
        b_media_class,
        a_value,
        b_value,
        quotient_ratio,
        concat(tenths // 10, '.', tenths % 10) as quotient_rounded_text,
        case
            when three_digits >= 100 then format('{:.0f}', three_digits)
            when three_digits >= 10 then format('{:.1f}', three_digits)
            when three_digits >= 1 then format('{:.2f}', three_digits)
            when three_digits >= 0.1 then format('{:.3f}', three_digits)
            when three_digits >= 0.01 then format('{:.4f}', three_digits)
            else cast(three_digits as varchar)
        end as quotient_display_text,
        a_queue_depth,
        b_queue_depth,
        a_repetition_count,
        b_repetition_count,
        a_conditions,
        b_conditions,
        comparability_grade,
        comparability_reasons,
        comparability_waivers
    from rounded

)

select * from final
