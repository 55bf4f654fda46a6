-- a view also of the published database, where it reads the tables of these names
with comparisons as (

    select * from {{ ref('comparisons') }}

),

pairs as (

    select distinct
        pair_id,
        a_submission_id,
        a_configuration_id,
        b_submission_id,
        b_configuration_id
    from {{ ref('pairs') }}

),

measured as (

    select
        point_id,
        section,
        device_id,
        device,
        media_class,
        repetition_count as run_count,
        session_count,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
        unnest([operations_per_second, throughput_bytes_per_second, latency_mean_seconds]) as measured_value
    from {{ ref('points') }}
    union all
    select
        peak_id as point_id,
        section,
        device_id,
        device,
        media_class,
        1 as run_count,
        1 as session_count,
        metric,
        peak_value as measured_value
    from {{ ref('peaks') }}

),

workloads as (

    select * from {{ ref('workloads') }}

),

both_ways as (

    select
        comparison_id,
        pair_id,
        workload_id,
        queue_depth,
        metric,
        false as is_mirrored,
        a_point_id,
        b_point_id,
        ratio,
        ratio_low,
        ratio_high,
        ratio_interval_kind,
        verdict,
        reason,
        tolerated_spread_ratio,
        p_value,
        choice_count,
        choice_ratio_low,
        choice_ratio_high,
        is_generator_bound
    from comparisons
    union all
    select
        comparison_id,
        pair_id,
        workload_id,
        queue_depth,
        metric,
        true as is_mirrored,
        b_point_id as a_point_id,
        a_point_id as b_point_id,
        1 / ratio as ratio,
        1 / nullif(ratio_high, 0) as ratio_low,
        1 / nullif(ratio_low, 0) as ratio_high,
        ratio_interval_kind,
        case verdict when 'A faster' then 'B faster' when 'B faster' then 'A faster' else verdict end as verdict,
        reason,
        tolerated_spread_ratio,
        p_value,
        choice_count,
        1 / choice_ratio_high as choice_ratio_low,
        1 / choice_ratio_low as choice_ratio_high,
        is_generator_bound
    from comparisons

),

final as (

    select
        both_ways.comparison_id,
        both_ways.is_mirrored,
        both_ways.pair_id,
        both_ways.workload_id,
        workloads.load_profile,
        case when workloads.read_ratio = 1 then 'read' else 'write' end as operation,
        both_ways.queue_depth,
        both_ways.metric,
        case when both_ways.is_mirrored then pairs.b_submission_id else pairs.a_submission_id end as a_submission_id,
        case when both_ways.is_mirrored then pairs.b_configuration_id else pairs.a_configuration_id end
            as a_configuration_id,
        a.section as a_section,
        a.device_id as a_device_id,
        a.device as a_device,
        a.media_class as a_media_class,
        a.measured_value as a_value,
        a.run_count as a_run_count,
        a.session_count as a_session_count,
        case when both_ways.is_mirrored then pairs.a_submission_id else pairs.b_submission_id end as b_submission_id,
        case when both_ways.is_mirrored then pairs.a_configuration_id else pairs.b_configuration_id end
            as b_configuration_id,
        b.section as b_section,
        b.device_id as b_device_id,
        b.device as b_device,
        b.media_class as b_media_class,
        b.measured_value as b_value,
        b.run_count as b_run_count,
        b.session_count as b_session_count,
        both_ways.a_point_id,
        both_ways.b_point_id,
        both_ways.ratio,
        both_ways.ratio_low,
        both_ways.ratio_high,
        both_ways.ratio_interval_kind,
        both_ways.verdict,
        both_ways.reason,
        both_ways.tolerated_spread_ratio,
        both_ways.p_value,
        both_ways.choice_count,
        both_ways.choice_ratio_low,
        both_ways.choice_ratio_high,
        both_ways.is_generator_bound
    from both_ways
    inner join pairs on both_ways.pair_id = pairs.pair_id
    inner join workloads on both_ways.workload_id = workloads.workload_id
    inner join measured as a on both_ways.a_point_id = a.point_id and both_ways.metric = a.metric
    inner join measured as b on both_ways.b_point_id = b.point_id and both_ways.metric = b.metric

)

select * from final
