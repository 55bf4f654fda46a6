with weighed as (

    select * from {{ ref('int_points_weighed') }}

),

repetitions as (

    select * from {{ ref('int_repetitions_placed') }}
    where not is_bound

),

parts as (

    select * from {{ ref('int_results_qualified') }}
    where is_part

),

percentiles as (

    select * from {{ source('raw', 'latency_percentiles') }}

),

reported as (

    select
        repetitions.submission_id,
        repetitions.configuration_id,
        repetitions.section,
        repetitions.workload_id,
        repetitions.load_basis,
        repetitions.queue_depth,
        repetitions.repetition_id,
        parts.result_id,
        parts.operation,
        percentiles.latency_kind,
        percentiles.percentile_ratio,
        percentiles.latency_seconds,
        parts.operation_count,
        -- what is left above the percentile, rounded because 1 - 0.999 is not 0.001
        round(parts.operation_count * (1 - percentiles.percentile_ratio), 6) as operations_above
    from repetitions
    inner join parts on repetitions.repetition_id = parts.repetition_id
    inner join percentiles on parts.result_id = percentiles.result_id
    where percentiles.latency_seconds > 0

),

repeated as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        queue_depth,
        operation,
        latency_kind,
        percentile_ratio,
        case
            when min(latency_seconds) = max(latency_seconds) then min(latency_seconds)
            else round(exp(avg(ln(latency_seconds) order by repetition_id, result_id)), 12)
        end as latency_seconds,
        min(latency_seconds) as latency_min_seconds,
        max(latency_seconds) as latency_max_seconds,
        count(distinct repetition_id) as run_count,
        min(operation_count) as operation_count,
        case when count(*) = count(operations_above) then min(operations_above) >= 10 end as is_supported
    from reported
    group by
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        queue_depth,
        operation,
        latency_kind,
        percentile_ratio

),

tails as (

    select
        'percentile' as statistic,
        * replace (
            case when is_supported is distinct from false then latency_seconds end as latency_seconds,
            case when is_supported is distinct from false then latency_min_seconds end as latency_min_seconds,
            case when is_supported is distinct from false then latency_max_seconds end as latency_max_seconds
        )
    from repeated

),

means as (

    select
        'mean' as statistic,
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        queue_depth,
        'all' as operation,
        latency_kind,
        cast(null as double) as percentile_ratio,
        latency_mean_seconds as latency_seconds,
        latency_mean_min_seconds as latency_min_seconds,
        latency_mean_max_seconds as latency_max_seconds,
        run_count
    from weighed

),

combined as (

    select * from means
    union all by name
    select * from tails

),

final as (

    select
        combined.*,
        weighed.load_profile,
        weighed.device_id,
        weighed.device,
        weighed.operations_per_second,
        weighed.throughput_bytes_per_second,
        weighed.share_of_peak_ratio,
        weighed.is_efficient
    from combined
    inner join weighed
        on
            combined.submission_id = weighed.submission_id
            and combined.configuration_id = weighed.configuration_id
            and combined.section = weighed.section
            and combined.workload_id = weighed.workload_id
            and combined.load_basis = weighed.load_basis
            and combined.queue_depth = weighed.queue_depth

)

select * from final
