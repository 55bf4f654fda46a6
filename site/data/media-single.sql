-- One outstanding I/O on one drive: what a single synchronous reader or writer sees.
with places as (
    select submission_id, configuration_id, section, load_profile_id, min(result_id) as result_id, any_value(conditions) as conditions
    from results
    where queue_depth = 1
    group by submission_id, configuration_id, section, load_profile_id
)

select
    load_profile, device, media_class, operations_per_second, throughput_bytes_per_second, latency_mean_seconds, value_kind,
    repetition_count, conditions, section, 'submissions/' || submission_id || '#r-' || result_id as href
from sweeps
left join places using (submission_id, configuration_id, section, load_profile_id)
where queue_depth = 1 and storage_topology = 'single' and device is not null
order by load_profile, device, href
