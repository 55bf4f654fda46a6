-- a view also of the published database, where it reads the tables of these names
with measured as (

    select
        point_id,
        columns('^(submission_id|configuration_id|section|device_id|device|media_class)$'),
        run_count,
        session_count,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
        unnest([operations_per_second, throughput_bytes_per_second, latency_mean_seconds]) as value
    from {{ ref('points') }}
    union all
    select
        peak_id as point_id,
        columns('^(submission_id|configuration_id|section|device_id|device|media_class)$'),
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
    from {{ ref('comparisons') }}
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
    from {{ ref('comparisons') }}

),

-- kept apart: where a filter compares A with B, DuckDB else joins every A with every B first
with_a as materialized (

    select
        both_ways.*,
        workloads.load_profile,
        case when workloads.read_ratio = 1 then 'read' else 'write' end as operation,
        columns(a.* exclude (point_id, metric)) as "a_\0"
    from both_ways
    inner join {{ ref('workloads') }} as workloads using (workload_id)
    inner join measured as a on both_ways.a_point_id = a.point_id and both_ways.metric = a.metric

),

final as (

    select
        with_a.*,
        columns(b.* exclude (point_id, metric)) as "b_\0"
    from with_a
    inner join measured as b on with_a.b_point_id = b.point_id and with_a.metric = b.metric

)

select * from final
