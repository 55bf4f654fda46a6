-- How far repetitions of the same measurement lie apart, for rates of operations and mean latencies.
select
    repeat_variances.submission_id, configuration_id, section, load_profile, queue_depth, metric,
    repeat_variances.repetition_count,
    lowest_value, median_value, highest_value, variation_ratio, interval_low, interval_high,
    configurations.device, configurations.media_class, configurations.conditions
from repeat_variances
inner join configurations using (submission_id, configuration_id)
where metric <> 'throughput_bytes_per_second'
order by load_profile, metric, repeat_variances.submission_id, configuration_id, section, queue_depth
