-- a view also of the published database, where it reads the tables of these names
with comparisons as (

    select * from {{ ref('comparisons') }}

),

measured as (

    select
        point_id,
        submission_id,
        configuration_id,
        section,
        device_id,
        device,
        media_class,
        run_count,
        session_count,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
        unnest([operations_per_second, throughput_bytes_per_second, latency_mean_seconds]) as value
    from {{ ref('points') }}
    union all
    select
        peak_id as point_id,
        submission_id,
        configuration_id,
        section,
        device_id,
        device,
        media_class,
        1 as run_count,
        1 as session_count,
        metric,
        peak_value as value
    from {{ ref('peaks') }}

),

both_ways as (

    select
        *,
        false as is_mirrored
    from comparisons
    union all by name
    select
        * replace (
            b_point_id as a_point_id,
            a_point_id as b_point_id,
            1 / ratio as ratio,
            1 / nullif(ratio_high, 0) as ratio_low,
            1 / nullif(ratio_low, 0) as ratio_high,
            case verdict when 'A faster' then 'B faster' when 'B faster' then 'A faster' else verdict end as verdict,
            1 / choice_ratio_high as choice_ratio_low,
            1 / choice_ratio_low as choice_ratio_high
        ),
        true as is_mirrored
    from comparisons

),

with_a as materialized (

    -- kept apart: where a filter compares A with B, DuckDB else joins every A with every B first
    select
        both_ways.*,
        measured.submission_id as a_submission_id,
        measured.configuration_id as a_configuration_id,
        measured.section as a_section,
        measured.device_id as a_device_id,
        measured.device as a_device,
        measured.media_class as a_media_class,
        measured.value as a_value,
        measured.run_count as a_run_count,
        measured.session_count as a_session_count
    from both_ways
    inner join measured on both_ways.a_point_id = measured.point_id and both_ways.metric = measured.metric

),

final as (

    select
        with_a.comparison_id,
        with_a.is_mirrored,
        with_a.pair_id,
        with_a.workload_id,
        workloads.load_profile,
        case when workloads.read_ratio = 1 then 'read' else 'write' end as operation,
        with_a.queue_depth,
        with_a.metric,
        with_a.a_submission_id,
        with_a.a_configuration_id,
        with_a.a_section,
        with_a.a_device_id,
        with_a.a_device,
        with_a.a_media_class,
        with_a.a_value,
        with_a.a_run_count,
        with_a.a_session_count,
        b.submission_id as b_submission_id,
        b.configuration_id as b_configuration_id,
        b.section as b_section,
        b.device_id as b_device_id,
        b.device as b_device,
        b.media_class as b_media_class,
        b.value as b_value,
        b.run_count as b_run_count,
        b.session_count as b_session_count,
        with_a.a_point_id,
        with_a.b_point_id,
        with_a.ratio,
        with_a.ratio_low,
        with_a.ratio_high,
        with_a.ratio_interval_kind,
        with_a.verdict,
        with_a.reason,
        with_a.tolerated_spread_ratio,
        with_a.p_value,
        with_a.choice_count,
        with_a.choice_ratio_low,
        with_a.choice_ratio_high,
        with_a.is_generator_bound
    from with_a
    inner join {{ ref('workloads') }} as workloads using (workload_id)
    inner join measured as b on with_a.b_point_id = b.point_id and with_a.metric = b.metric

)

select * from final
