-- One outstanding I/O on one drive: what a single synchronous reader or writer sees.
with places as (
    select distinct submission_id, configuration_id, section, load_profile_id, load_basis, place_id
    from numbers
    where number_kind = 'median' and queue_depth = 1
)

select
    sweeps.load_profile, sweeps.device, sweeps.media_class, sweeps.operations_per_second,
    sweeps.throughput_bytes_per_second, sweeps.latency_mean_seconds, sweeps.value_kind, sweeps.repetition_count,
    configurations.conditions, section, 'submissions/' || submission_id || '#n-' || places.place_id as href
from sweeps
inner join places using (submission_id, configuration_id, section, load_profile_id, load_basis)
inner join configurations using (submission_id, configuration_id)
where sweeps.queue_depth = 1 and sweeps.storage_topology = 'single' and sweeps.device is not null
order by sweeps.load_profile, sweeps.device, href
