-- One outstanding I/O on one drive: what a single synchronous reader or writer sees. The nine loads that were measured on the
-- most media, and of these on the most devices.
with places as (
    select distinct submission_id, configuration_id, section, workload_id, load_basis, place_id
    from numbers
    where number_kind = 'geometric_mean' and queue_depth = 1
),

drawn as (
    select
        points.load_profile, points.device, points.media_class, points.operations_per_second,
        points.throughput_bytes_per_second, points.value_kind, configurations.conditions, section,
        'submissions/' || submission_id || '#n-' || places.place_id as href
    from points
    inner join places using (submission_id, configuration_id, section, workload_id, load_basis)
    inner join configurations using (submission_id, configuration_id)
    where points.queue_depth = 1 and points.storage_topology = 'single' and points.device is not null
),

common as (
    select load_profile
    from drawn
    group by load_profile
    order by count(distinct media_class) desc, count(distinct device) desc, load_profile
    limit 9
)

select drawn.*
from drawn
inner join common using (load_profile)
order by load_profile, device, href
