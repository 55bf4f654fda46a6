-- Rate and latency by queue depth on one drive: the median, smallest and largest of the repetitions. Figures that a
-- publication gives only as a bound come from points.
with places as (
    select
        submission_id, configuration_id, section, load_profile_id, queue_depth,
        min(result_id) as result_id, any_value(conditions) as conditions
    from results
    where queue_depth is not null
    group by submission_id, configuration_id, section, load_profile_id, queue_depth
),

depths as (
    select
        submission_id, configuration_id, section, load_profile_id, load_profile, queue_depth, repetition_count,
        operations_per_second, operations_min_per_second, operations_max_per_second,
        throughput_bytes_per_second, throughput_min_bytes_per_second, throughput_max_bytes_per_second,
        latency_mean_seconds, latency_mean_min_seconds, latency_mean_max_seconds,
        value_kind, device, media_class
    from sweeps
    where storage_topology = 'single'
    union all
    select
        points.submission_id, points.configuration_id, points.section, points.load_profile_id, points.load_profile,
        points.queue_depth, 1 as repetition_count,
        points.operations_per_second, null, null, points.throughput_bytes_per_second, null, null,
        points.latency_mean_seconds, null, null, points.value_kind, configurations.device, configurations.media_class
    from points
    inner join configurations using (submission_id, configuration_id)
    where points.value_kind in ('lower_bound', 'upper_bound') and configurations.storage_topology = 'single'
        and points.load_profile_id is not null and points.queue_depth is not null
)

select depths.*, places.conditions, 'submissions/' || submission_id || '#r-' || places.result_id as href
from depths
left join places using (submission_id, configuration_id, section, load_profile_id, queue_depth)
where device is not null
order by load_profile, submission_id, configuration_id, section, queue_depth, value_kind
