{{ config(materialized='table') }}

with repetitions as (

    select * from {{ ref('int_repetitions_selected') }}

),

comparable as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        load_basis,
        queue_depth,
        repetition_id,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
        unnest([
            case when operations_origin = 'measured' then operations_per_second end,
            case when throughput_origin = 'measured' then throughput_bytes_per_second end,
            latency_mean_seconds
        ]) as point_value
    from repetitions

),

final as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        min(load_profile) as load_profile,
        load_basis,
        queue_depth,
        metric,
        count(*) as repetition_count,
        min(point_value) as lowest_value,
        median(point_value) as median_value,
        max(point_value) as highest_value,
        avg(ln(point_value) order by point_value) as mean_logarithm,
        var_samp(ln(point_value) order by point_value) as variance_of_logarithms
    from comparable
    where point_value > 0
    group by submission_id, configuration_id, section, workload_id, load_basis, queue_depth, metric
    having count(*) >= 2

)

select * from final
