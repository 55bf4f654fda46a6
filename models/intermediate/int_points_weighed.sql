with points as (

    select * from {{ ref('int_points_admitted') }}

),

measured as (

    select
        *,
        -- windows are over one number, which takes a third of the time of five texts
        hash(row(submission_id, configuration_id, section, workload_id, load_basis)) as series_id
    from points
    where
        operations_per_second is not null
        and latency_mean_seconds is not null
        and contains(operations_kind, 'bound') is not true
        and contains(latency_kind_of_interval, 'bound') is not true

),

final as (

    select
        series_id,
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        load_basis,
        queue_depth,
        device_id,
        device,
        operations_per_second,
        throughput_bytes_per_second,
        latency_mean_seconds,
        latency_mean_min_seconds,
        latency_mean_max_seconds,
        latency_kind,
        repetition_count,
        operations_per_second
        / max(operations_per_second) over (partition by series_id) as share_of_peak_ratio,
        operations_per_second > coalesce(
            max(operations_per_second) over (
                partition by series_id
                order by latency_mean_seconds, queue_depth
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as is_efficient
    from measured

)

select * from final
