-- Rate and latency by queue depth on one drive: the geometric mean, smallest and largest of the repetitions. Figures that a
-- publication gives only as a bound come from repetitions.
with places as (
    select distinct
        submission_id, configuration_id, section, workload_id, load_basis, queue_depth, repetition_id, number_kind, place_id
    from numbers
),

depths as (
    select
        submission_id, configuration_id, section, workload_id, load_profile, queue_depth, repetition_count,
        operations_per_second, operations_min_per_second, operations_max_per_second,
        throughput_bytes_per_second, throughput_min_bytes_per_second, throughput_max_bytes_per_second,
        latency_mean_seconds, latency_mean_min_seconds, latency_mean_max_seconds, value_kind, places.place_id
    from points
    inner join places using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
    where places.number_kind = 'geometric_mean' and points.storage_topology = 'single'
    union all
    select
        repetitions.submission_id, repetitions.configuration_id, repetitions.section, repetitions.workload_id, repetitions.load_profile,
        repetitions.queue_depth, 1 as repetition_count,
        repetitions.operations_per_second, null, null, repetitions.throughput_bytes_per_second, null, null,
        repetitions.latency_mean_seconds, null, null, repetitions.value_kind, places.place_id
    from repetitions
    inner join configurations using (submission_id, configuration_id)
    inner join places on repetitions.repetition_id = places.repetition_id
    where repetitions.value_kind in ('lower_bound', 'upper_bound') and configurations.storage_topology = 'single'
        and repetitions.workload_id is not null and repetitions.queue_depth is not null
)

select
    depths.* exclude (place_id), configurations.device, configurations.media_class, configurations.conditions,
    'submissions/' || submission_id || '#n-' || depths.place_id as href
from depths
inner join configurations using (submission_id, configuration_id)
where configurations.device is not null
order by load_profile, submission_id, configuration_id, section, queue_depth, value_kind, workload_id, href
