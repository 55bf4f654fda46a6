-- What one drive and one gigabyte of 10⁹ bytes contribute, in IOPS and in throughput; where only one of them was measured,
-- the other follows by the block size. Per load profile and configuration the highest rate stands.
with usual as (
    select efficiencies.*
    from efficiencies
    inner join workloads using (workload_id)
    where efficiencies.per = 'drive' and efficiencies.metric = case workloads.access_pattern
        when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
    end
    qualify row_number() over (
        partition by submission_id, configuration_id, workload_id order by dividend_value desc, section
    ) = 1
),

shares as (
    pivot (
        select submission_id, configuration_id, section, workload_id, basis, place_id, metric, number_value
        from numbers
        where number_kind in ('per_drive', 'per_gigabyte')
    )
    on metric in (
        'operations_per_second_per_drive', 'throughput_bytes_per_second_per_drive', 'operations_per_second_per_gigabyte',
        'throughput_bytes_per_second_per_gigabyte'
    )
    using max(number_value)
)

select
    submission_id, configuration_id, section, usual.load_profile, basis, usual.device, configurations.media_class,
    usual.storage_topology, usual.drive_count, configurations.data_capacity_bytes as capacity_bytes,
    shares.operations_per_second_per_drive, shares.throughput_bytes_per_second_per_drive,
    shares.operations_per_second_per_gigabyte, shares.throughput_bytes_per_second_per_gigabyte,
    configurations.conditions, 'submissions/' || submission_id || '#n-' || shares.place_id as href
from usual
inner join shares using (submission_id, configuration_id, section, workload_id, basis)
inner join configurations using (submission_id, configuration_id)
order by usual.load_profile, submission_id, configuration_id
