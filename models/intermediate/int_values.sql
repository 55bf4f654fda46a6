with points as (

    select * from {{ ref('points') }}

),

estimated as (

    select * from {{ ref('int_points_estimated') }}

),

peaks as (

    select * from {{ ref('peaks') }}

),

at_loads as (

    select
        points.point_id,
        points.submission_id,
        points.configuration_id,
        points.section,
        points.workload_id,
        points.load_profile,
        estimated.metric,
        points.basis,
        points.load_basis,
        points.queue_depth,
        estimated.point_value as value,
        estimated.n,
        estimated.session_count,
        estimated.mean_logarithm,
        estimated.log_variance,
        estimated.low_half,
        estimated.high_half,
        estimated.low,
        estimated.high,
        estimated.kind,
        estimated.value_kind,
        estimated.unit_basis,
        points.process_count,
        points.engine,
        points.is_direct,
        points.tool,
        points.tool_version,
        case when estimated.metric = 'latency_mean_seconds' then points.latency_kind end as latency_kind,
        points.target_count,
        cast(null as varchar) as searched_depths,
        false as is_peak_at_edge,
        estimated.repetition_count
    from estimated
    inner join points on estimated.point_id = points.point_id

),

at_peaks as (

    select
        peak_id as point_id,
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        'peak' as basis,
        load_basis,
        queue_depth,
        peak_value as value,
        coalesce(n, 1) as n,
        coalesce(session_count, 1) as session_count,
        ln(peak_value) as mean_logarithm,
        cast(null as double) as log_variance,
        low_half,
        high_half,
        low,
        high,
        kind,
        value_kind,
        unit_basis,
        process_count,
        engine,
        is_direct,
        tool,
        tool_version,
        cast(null as varchar) as latency_kind,
        target_count,
        coalesce(queue_depth_low || ' to ' || queue_depth_high, 'unknown') as searched_depths,
        coalesce(is_peak_at_edge, false) as is_peak_at_edge,
        repetition_count
    from peaks
    where load_basis = 'outstanding' and (peak_origin = 'stated' or depth_count >= 3)

),

final as (

    select * from at_loads
    union all
    select * from at_peaks

)

select * from final
