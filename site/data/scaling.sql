-- Scaling factors: the rate of an array divided by that of one drive, beside the ideal and what the source states.
-- Random load profiles are compared by IOPS, sequential ones by throughput.
with places as (
    select
        factors.submission_id, factors.configuration_id, factors.section, factors.load_profile_id, factors.queue_depth,
        bases.configuration_id as base_configuration_id, bases.section as base_section,
        case bases.number_kind when 'median' then bases.queue_depth end as base_queue_depth, bases.metric,
        factors.number_id
    from numbers as factors
    inner join numbers as bases on factors.b_number_id = bases.number_id
    where factors.number_kind = 'quotient'
)

select
    scaling_factors.load_profile, scaling_factors.metric, scaling_factors.topology, scaling_factors.drive_count,
    scaling_factors.basis, scaling_factors.queue_depth_per_drive, scaling_factors.array_section as section,
    scaling_factors.device, scaling_factors.array_value, scaling_factors.base_value,
    scaling_factors.factor_ratio, scaling_factors.ideal_ratio, scaling_factors.efficiency_ratio,
    scaling_factors.stated_factor_ratio, scaling_factors.stated_factor_text, scaling_factors.reasons,
    'submissions/' || scaling_factors.submission_id || '#n-' || places.number_id as href
from scaling_factors
inner join load_profiles using (load_profile_id)
inner join places
    on scaling_factors.submission_id = places.submission_id
    and scaling_factors.array_configuration_id = places.configuration_id
    and scaling_factors.array_section = places.section
    and scaling_factors.load_profile_id = places.load_profile_id
    and scaling_factors.metric = places.metric
    and scaling_factors.queue_depth is not distinct from places.queue_depth
    and scaling_factors.base_configuration_id = places.base_configuration_id
    and scaling_factors.base_section = places.base_section
    and scaling_factors.base_queue_depth is not distinct from places.base_queue_depth
where scaling_factors.metric = case load_profiles.access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
order by scaling_factors.load_profile, scaling_factors.topology, scaling_factors.drive_count, scaling_factors.basis, section
