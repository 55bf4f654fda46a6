with points as (

    select * from {{ ref('points') }}

),

rates as (

    select * from {{ ref('int_rates_unpivoted') }}

),

peaks as (

    select * from {{ ref('peaks') }}

),

at_depths as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        basis,
        load_basis,
        rate_value as operand_value,
        queue_depth,
        cast(null as varchar) as searched_depths,
        false as is_peak_at_edge,
        repetition_count,
        process_count,
        value_kind,
        cast(null as varchar) as latency_kind
    from rates

),

latencies as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        'latency_mean_seconds' as metric,
        basis,
        load_basis,
        latency_mean_seconds as operand_value,
        queue_depth,
        cast(null as varchar) as searched_depths,
        false as is_peak_at_edge,
        repetition_count,
        process_count,
        value_kind,
        latency_kind
    from points
    where latency_mean_seconds is not null

),

peak_rates as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        'peak' as basis,
        'outstanding' as load_basis,
        peak_value as operand_value,
        queue_depth,
        coalesce(queue_depth_low || ' to ' || queue_depth_high, 'unknown') as searched_depths,
        coalesce(is_peak_at_edge, false) as is_peak_at_edge,
        repetition_count,
        process_count,
        value_kind,
        cast(null as varchar) as latency_kind
    from peaks
    where peak_origin = 'stated' or depth_count >= 3

),

final as (

    select * from at_depths
    union all
    select * from latencies
    union all
    select * from peak_rates

)

select * from final
