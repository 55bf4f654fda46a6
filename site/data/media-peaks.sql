-- The peak of each single device per load profile; where a submission prints several, the one of its widest comparison.
-- Where only IOPS or only the throughput is known, the other follows by the block size of the load profile.
with sections as (
    select submission_id, section, count(distinct device_id) as device_count from peaks group by submission_id, section
),

single as (
    select peaks.*, sections.device_count, load_profiles.block_size_bytes
    from peaks
    inner join sections using (submission_id, section)
    inner join load_profiles using (load_profile_id)
    where peaks.storage_topology = 'single' and peaks.device_id is not null and load_profiles.block_size_bytes is not null
),

rates as (
    select
        submission_id, configuration_id, section, load_profile_id, load_profile, device_id, device, media_class, device_count,
        any_value(peak_origin) as peak_origin, any_value(queue_depths) as queue_depths, any_value(value_kind) as value_kind,
        max(case metric when 'operations_per_second' then peak_value else peak_value / block_size_bytes end) as operations_per_second,
        max(case metric when 'operations_per_second' then peak_value * block_size_bytes else peak_value end) as throughput_bytes_per_second
    from single
    group by all
),

places as (
    select
        submission_id, configuration_id, section, load_profile_id,
        arg_max(result_id, coalesce(operations_per_second, throughput_bytes_per_second)) as result_id,
        any_value(conditions) as conditions
    from results
    where is_comparable
    group by submission_id, configuration_id, section, load_profile_id
)

select
    load_profile, device, media_class, operations_per_second, throughput_bytes_per_second, value_kind, peak_origin,
    queue_depths, conditions, section, 'submissions/' || submission_id || '#r-' || result_id as href
from rates
left join places using (submission_id, configuration_id, section, load_profile_id)
qualify row_number() over (
    partition by submission_id, device_id, load_profile_id
    order by device_count desc, operations_per_second desc, throughput_bytes_per_second desc
) = 1
order by load_profile, device, href
