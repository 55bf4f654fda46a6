-- IOPS per drive and per gigabyte: the highest value of each configuration and workload, divided by the number of
-- its drives and by their capacity in 10⁹ bytes.
with usual as (
    select efficiencies.*
    from efficiencies
    inner join workloads using (workload_id)
    where per in ('drive', 'gigabyte') and metric = case access_pattern
        when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
    end
)

select
    submission_id, configuration_id, title, replace(per_drive.load_profile, ', norandommap=true', '') as load_profile,
    per_drive.metric, per_drive.device_id, coalesce(short_name, per_drive.device) as device, devices.media_class,
    per_drive.storage_topology, per_drive.drive_count, per_drive.value as per_drive_value,
    per_gigabyte.value as per_gigabyte_value, per_gigabyte.divisor_value as gigabytes
from (from usual where per = 'drive') as per_drive
inner join devices using (device_id)
inner join configurations using (submission_id, configuration_id)
left join (from usual where per = 'gigabyte') as per_gigabyte
    using (submission_id, configuration_id, section, workload_id, basis)
qualify row_number() over (
    partition by per_drive.device_id, workload_id, per_drive.storage_topology, per_drive.drive_count
    order by per_drive.dividend_value desc, submission_id, configuration_id, section
) = 1
order by load_profile, devices.media_class, per_drive_value desc, device, configuration_id
