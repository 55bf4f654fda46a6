with operating_points as (

    select * from {{ ref('int_points_weighed') }}

),

objectives as (

    select * from {{ ref('known_latency_objectives') }}

),

stepped as (

    select
        *,
        lead(queue_depth) over by_depth as next_depth,
        lead(latency_mean_seconds) over by_depth as next_latency,
        lead(operations_per_second) over by_depth as next_rate
    from operating_points
    window by_depth as (partition by series_id order by queue_depth)

),

kept as (

    select
        stepped.*,
        objectives.latency_objective_seconds,
        row_number() over (
            partition by series_id, latency_objective_seconds
            order by operations_per_second desc, queue_depth asc
        ) as rank_index
    from stepped
    inner join objectives on stepped.latency_mean_seconds <= objectives.latency_objective_seconds

),

final as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        load_basis,
        device_id,
        device,
        latency_objective_seconds,
        latency_kind,
        queue_depth,
        operations_per_second,
        throughput_bytes_per_second,
        latency_mean_seconds,
        next_depth is null as is_at_last_depth,
        case
            when next_latency > latency_objective_seconds and next_rate > operations_per_second
                then
                    round(
                        exp(
                            ln(operations_per_second)
                            + (ln(next_rate) - ln(operations_per_second))
                            * (ln(latency_objective_seconds) - ln(latency_mean_seconds))
                            / (ln(next_latency) - ln(latency_mean_seconds))
                        ),
                        9
                    )
        end as interpolated_operations_per_second
    from kept
    where rank_index = 1

)

select * from final
