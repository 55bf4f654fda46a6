-- Variation of repeated runs, for IOPS and mean latency.
with numbers as (
    select
        *, 'operations_per_second' as metric, operations_min_per_second as lowest_value,
        operations_per_second as geomean_value, operations_max_per_second as highest_value,
        operations_variation_ratio as variation_ratio, operations_per_second_low as interval_low,
        operations_per_second_high as interval_high
    from points
    where operations_origin = 'measured'
    union all by name
    select
        *, 'latency_mean_seconds' as metric, latency_mean_min_seconds as lowest_value,
        latency_mean_seconds as geomean_value, latency_mean_max_seconds as highest_value,
        latency_variation_ratio as variation_ratio, latency_mean_seconds_low as interval_low,
        latency_mean_seconds_high as interval_high
    from points
    where latency_mean_seconds is not null
)

select
    numbers.submission_id, configuration_id, section, load_profile, queue_depth, metric, numbers.run_count,
    lowest_value, geomean_value, highest_value, variation_ratio, interval_low, interval_high,
    configurations.title, configurations.device, configurations.media_class, configurations.conditions
from numbers
inner join configurations using (submission_id, configuration_id)
where numbers.run_count >= 2
order by load_profile, metric, numbers.submission_id, configuration_id, section, queue_depth, workload_id, load_basis
