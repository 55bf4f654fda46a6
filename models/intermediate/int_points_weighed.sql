with points as (

    select * from {{ ref('points') }}

),

excluded as (

    select distinct point_id
    from {{ ref('int_points_estimated') }}
    where is_excluded

),

measured as (

    select
        points.*,
        -- windows are over one number, which takes a third of the time of five texts
        hash(row(submission_id, configuration_id, section, workload_id, load_basis)) as series_id
    from points
    anti join excluded on points.point_id = excluded.point_id
    where
        operations_per_second is not null
        and latency_mean_seconds is not null
        -- what held a point back opens its interval, and leaves what was measured
        and (
            is_held_back
            or (
                contains(operations_per_second_interval_kind, 'bound') is not true
                and contains(latency_mean_seconds_interval_kind, 'bound') is not true
            )
        )

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
        run_count,
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
