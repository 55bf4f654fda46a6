-- One outstanding I/O on one drive: what a single synchronous reader or writer sees.
with places as (
    select distinct submission_id, configuration_id, section, workload_id, load_basis, place_id
    from numbers
    where number_kind = 'geometric_mean' and queue_depth = 1
)

select
    points.load_profile, points.device, points.media_class, points.operations_per_second,
    points.throughput_bytes_per_second, points.latency_mean_seconds, points.value_kind, points.repetition_count,
    configurations.conditions, section, 'submissions/' || submission_id || '#n-' || places.place_id as href
from points
inner join places using (submission_id, configuration_id, section, workload_id, load_basis)
inner join configurations using (submission_id, configuration_id)
where points.queue_depth = 1 and points.storage_topology = 'single' and points.device is not null
order by points.load_profile, points.device, href
