-- Scaling factors: the rate of an array divided by that of one drive, beside the ideal and what the source states.
-- Random load profiles are compared by IOPS, sequential ones by throughput.
with places as (
    select
        factors.submission_id, factors.configuration_id, factors.section, factors.workload_id, factors.queue_depth,
        bases.configuration_id as base_configuration_id, bases.section as base_section,
        case bases.number_kind when 'geometric_mean' then bases.queue_depth end as base_queue_depth, bases.metric,
        factors.number_id
    from numbers as factors
    inner join numbers as bases on factors.b_number_id = bases.number_id
    where factors.number_kind = 'quotient'
)

select
    scaling.submission_id, scaling.load_profile, scaling.metric, scaling.topology, scaling.drive_count,
    scaling.basis, scaling.queue_depth_per_drive, scaling.array_section as section,
    scaling.device, scaling.array_value, scaling.base_value,
    scaling.factor_ratio, scaling.ideal_ratio, scaling.efficiency_ratio,
    scaling.stated_factor_ratio, scaling.stated_factor_text, scaling.reasons,
    'submissions/' || scaling.submission_id || '#n-' || places.number_id as href
from scaling
inner join workloads using (workload_id)
inner join places
    on scaling.submission_id = places.submission_id
    and scaling.array_configuration_id = places.configuration_id
    and scaling.array_section = places.section
    and scaling.workload_id = places.workload_id
    and scaling.metric = places.metric
    and scaling.queue_depth is not distinct from places.queue_depth
    and scaling.base_configuration_id = places.base_configuration_id
    and scaling.base_section = places.base_section
    and scaling.base_queue_depth is not distinct from places.base_queue_depth
where scaling.metric = case workloads.access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
order by
    scaling.load_profile, scaling.topology, scaling.drive_count, scaling.basis, section, scaling.submission_id,
    scaling.array_configuration_id, scaling.base_configuration_id, scaling.base_section, scaling.workload_id, href
