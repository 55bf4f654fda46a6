-- Scaling factors: the rate of an array divided by that of one drive, beside the ideal and what the source states.
-- Random load profiles are compared by IOPS, sequential ones by throughput.
with places as (
    select
        submission_id, configuration_id, section, load_profile_id,
        arg_max(result_id, coalesce(operations_per_second, throughput_bytes_per_second)) as result_id
    from results
    group by submission_id, configuration_id, section, load_profile_id
)

select
    scaling_factors.load_profile, scaling_factors.metric, scaling_factors.topology, scaling_factors.drive_count,
    scaling_factors.basis, scaling_factors.queue_depth_per_drive, scaling_factors.array_section as section,
    scaling_factors.device, scaling_factors.array_value, scaling_factors.base_value,
    scaling_factors.factor_ratio, scaling_factors.ideal_ratio, scaling_factors.efficiency_ratio,
    scaling_factors.stated_factor_ratio, scaling_factors.stated_factor_text, scaling_factors.reasons,
    'submissions/' || scaling_factors.submission_id || '#r-' || places.result_id as href
from scaling_factors
inner join load_profiles using (load_profile_id)
left join places
    on scaling_factors.submission_id = places.submission_id
    and scaling_factors.array_configuration_id = places.configuration_id
    and scaling_factors.array_section = places.section
    and scaling_factors.load_profile_id = places.load_profile_id
where scaling_factors.metric = case load_profiles.access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
order by scaling_factors.load_profile, scaling_factors.topology, scaling_factors.drive_count, scaling_factors.basis, section
