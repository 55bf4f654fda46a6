-- What one drive and one gigabyte of 10⁹ bytes contribute. Where a load profile has one block size, IOPS and throughput
-- follow from each other; per load profile and configuration the highest rate stands.
with usual as (
    select efficiencies.*, load_profiles.block_size_bytes
    from drive_efficiencies as efficiencies
    inner join load_profiles using (load_profile_id)
    where efficiencies.metric = case load_profiles.access_pattern
        when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
    end
),

rates as (
    select
        *,
        case metric
            when 'operations_per_second' then rate_per_drive_value else rate_per_drive_value / block_size_bytes
        end as operations_per_second_per_drive,
        case metric
            when 'operations_per_second' then rate_per_drive_value * block_size_bytes else rate_per_drive_value
        end as throughput_bytes_per_second_per_drive,
        drive_count * 1e9 / capacity_bytes as drives_per_gigabyte
    from usual
    qualify row_number() over (
        partition by submission_id, configuration_id, load_profile_id order by rate_value desc, section
    ) = 1
)

select
    rates.submission_id, rates.configuration_id, rates.section, rates.load_profile, rates.basis, rates.device,
    configurations.media_class, rates.storage_topology, rates.drive_count, rates.capacity_bytes,
    rates.operations_per_second_per_drive, rates.throughput_bytes_per_second_per_drive,
    rates.operations_per_second_per_drive * rates.drives_per_gigabyte as operations_per_second_per_gigabyte,
    rates.throughput_bytes_per_second_per_drive * rates.drives_per_gigabyte as throughput_bytes_per_second_per_gigabyte,
    configurations.conditions, 'submissions/' || rates.submission_id || '#' || rates.configuration_id as href
from rates
inner join configurations using (submission_id, configuration_id)
order by rates.load_profile, rates.submission_id, rates.configuration_id
