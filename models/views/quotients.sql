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
        a.submission_id as a_submission_id,
        a.configuration_id as a_configuration_id,
        a.section as a_section,
        a.device_id as a_device_id,
        a.device as a_device,
        a.media_class as a_media_class,
        a.value as a_value,
        a.run_count as a_run_count,
        a.session_count as a_session_count,
        b.submission_id as b_submission_id,
        b.configuration_id as b_configuration_id,
        b.section as b_section,
        b.device_id as b_device_id,
        b.device as b_device,
        b.media_class as b_media_class,
        b.value as b_value,
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
    inner join {{ ref('workloads') }} as workloads using (workload_id)
    -- by one key: by two columns, DuckDB 1.3 first joins every A with every B of the same metric
    inner join measured as a on concat(both_ways.a_point_id, ' ', both_ways.metric) = concat(a.point_id, ' ', a.metric)
    inner join measured as b on concat(both_ways.b_point_id, ' ', both_ways.metric) = concat(b.point_id, ' ', b.metric)

)

select * from final
