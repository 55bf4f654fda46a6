-- The peak of each single device per load profile; where a submission prints several, the one of its widest comparison. The
-- nine loads that were measured on the most media, and of these on the most devices.
-- Where only IOPS or only the throughput was measured, the other follows by the block size of the load profile.
with sections as (
    select submission_id, section, count(distinct device_id) as device_count from peaks group by submission_id, section
),

rates as (
    select
        submission_id, configuration_id, section, workload_id, load_profile, place_id,
        max(number_value) filter (where metric = 'operations_per_second') as operations_per_second,
        max(number_value) filter (where metric = 'throughput_bytes_per_second') as throughput_bytes_per_second
    from numbers
    where number_kind = 'peak'
    group by all
),

single as (
    select
        submission_id, configuration_id, section, workload_id, device, device_id, media_class,
        any_value(peak_origin order by metric) as peak_origin, any_value(queue_depths order by metric) as queue_depths,
        any_value(value_kind order by metric) as value_kind
    from peaks
    where storage_topology = 'single' and device_id is not null
    group by all
),

drawn as (
    select
        rates.load_profile, single.device, single.device_id, single.media_class, rates.operations_per_second,
        rates.throughput_bytes_per_second,
        single.value_kind, single.peak_origin, single.queue_depths, configurations.conditions, section,
        'submissions/' || submission_id || '#n-' || rates.place_id as href
    from rates
    inner join single using (submission_id, configuration_id, section, workload_id)
    inner join sections using (submission_id, section)
    inner join configurations using (submission_id, configuration_id)
    where rates.operations_per_second is not null and rates.throughput_bytes_per_second is not null
    qualify row_number() over (
        partition by submission_id, single.device_id, workload_id
        order by device_count desc, rates.operations_per_second desc, rates.throughput_bytes_per_second desc
    ) = 1
),

common as (
    select load_profile
    from drawn
    group by load_profile
    order by count(distinct media_class) desc, count(distinct device_id) desc, load_profile
    limit 9
)

select drawn.* exclude (device_id, peak_origin)
from drawn
inner join common using (load_profile)
order by load_profile, device, href
