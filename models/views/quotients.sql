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

workloads as (

    select * from {{ ref('workloads') }}

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

both_ways as (

    select
        comparisons.comparison_id,
        comparisons.pair_id,
        comparisons.workload_id,
        comparisons.queue_depth,
        comparisons.metric,
        comparisons.a_point_id,
        comparisons.b_point_id,
        comparisons.ratio,
        comparisons.ratio_low,
        comparisons.ratio_high,
        comparisons.ratio_interval_kind,
        comparisons.verdict,
        comparisons.reason,
        comparisons.tolerated_spread_ratio,
        comparisons.p_value,
        comparisons.choice_count,
        comparisons.choice_ratio_low,
        comparisons.choice_ratio_high,
        comparisons.is_generator_bound,
        pairs.a_submission_id,
        pairs.a_configuration_id,
        pairs.b_submission_id,
        pairs.b_configuration_id,
        false as is_mirrored
    from comparisons
    inner join pairs on comparisons.pair_id = pairs.pair_id
    union all
    select
        comparisons.comparison_id,
        comparisons.pair_id,
        comparisons.workload_id,
        comparisons.queue_depth,
        comparisons.metric,
        comparisons.b_point_id as a_point_id,
        comparisons.a_point_id as b_point_id,
        1 / comparisons.ratio as ratio,
        1 / nullif(comparisons.ratio_high, 0) as ratio_low,
        1 / nullif(comparisons.ratio_low, 0) as ratio_high,
        comparisons.ratio_interval_kind,
        case comparisons.verdict
            when 'A faster' then 'B faster' when 'B faster' then 'A faster' else comparisons.verdict
        end as verdict,
        comparisons.reason,
        comparisons.tolerated_spread_ratio,
        comparisons.p_value,
        comparisons.choice_count,
        1 / comparisons.choice_ratio_high as choice_ratio_low,
        1 / comparisons.choice_ratio_low as choice_ratio_high,
        comparisons.is_generator_bound,
        pairs.b_submission_id as a_submission_id,
        pairs.b_configuration_id as a_configuration_id,
        pairs.a_submission_id as b_submission_id,
        pairs.a_configuration_id as b_configuration_id,
        true as is_mirrored
    from comparisons
    inner join pairs on comparisons.pair_id = pairs.pair_id

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
        both_ways.a_submission_id,
        both_ways.a_configuration_id,
        a.section as a_section,
        a.device_id as a_device_id,
        a.device as a_device,
        a.media_class as a_media_class,
        a.measured_value as a_value,
        a.run_count as a_run_count,
        a.session_count as a_session_count,
        both_ways.b_submission_id,
        both_ways.b_configuration_id,
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
    inner join workloads on both_ways.workload_id = workloads.workload_id
    -- by one key: by two columns, DuckDB 1.3 first joins every A with every B of the same metric
    inner join measured as a on concat(both_ways.a_point_id, ' ', both_ways.metric) = concat(a.point_id, ' ', a.metric)
    inner join measured as b on concat(both_ways.b_point_id, ' ', both_ways.metric) = concat(b.point_id, ' ', b.metric)

)

select * from final
