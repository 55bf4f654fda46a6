with peaks as (

    select * from {{ ref('peaks') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

rates as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        'peak' as basis,
        peak_value as rate_value
    from peaks
    where peak_origin = 'stated' or depth_count >= 3
    union all
    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        min(load_profile) as load_profile,
        'operations_per_second' as metric,
        'mean' as basis,
        max(operations_per_second) as rate_value
    from repetitions
    where is_comparable and statistic = 'mean' and queue_depth is null and workload_id is not null
    group by submission_id, configuration_id, section, workload_id
    having max(operations_per_second) is not null

),

final as (

    select
        rates.*,
        configurations.device_id,
        configurations.device,
        configurations.storage_topology,
        configurations.drive_count,
        cast(configurations.data_capacity_bytes as bigint) as capacity_bytes,
        rates.rate_value / configurations.drive_count as rate_per_drive_value,
        rates.rate_value / (configurations.data_capacity_bytes / 1e9) as rate_per_gigabyte_value
    from rates
    inner join configurations
        on
            rates.submission_id = configurations.submission_id
            and rates.configuration_id = configurations.configuration_id
    where configurations.drive_count > 0

)

select * from final
