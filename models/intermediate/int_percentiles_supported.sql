with latency_percentiles as (

    select * from {{ source('raw', 'latency_percentiles') }}

),

results as (

    select * from {{ ref('int_results_qualified') }}

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select max(limit_value) filter (where limit_id = 'percentile_support') as percentile_support
    from known_limits

),

counted as (

    select
        results.repetition_id,
        latency_percentiles.*,
        limits.percentile_support,
        -- rounded, because 1 - 0.999 is not a thousandth to the last bit
        round(
            coalesce(results.operation_count, results.latency_sample_count)
            * (1 - latency_percentiles.percentile_ratio),
            6
        ) as slower_count
    from latency_percentiles
    inner join results on latency_percentiles.result_id = results.result_id
    cross join limits

),

final as (

    select
        result_id,
        repetition_id,
        latency_kind,
        percentile_ratio,
        basis,
        slower_count,
        percentile_support,
        (slower_count < percentile_support) is not true as is_supported,
        case when (slower_count < percentile_support) is not true then latency_seconds end as latency_seconds
    from counted

)

select * from final
