with rates as (

    select * from {{ ref('int_rates_unpivoted') }}

),

peaks as (

    select * from {{ ref('peaks') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

combined as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        false as is_peak,
        rate_value as load_value,
        queue_depth,
        queue_depth_per_drive,
        process_count,
        value_kind
    from rates
    where load_basis = 'outstanding'
    union all
    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        true as is_peak,
        peak_value as load_value,
        cast(null as bigint) as queue_depth,
        cast(null as double) as queue_depth_per_drive,
        process_count,
        value_kind
    from peaks
    where peak_origin = 'stated' or depth_count >= 3

),

final as (

    select
        combined.*,
        configurations.device_id,
        configurations.device,
        configurations.storage_topology,
        configurations.drive_count
    from combined
    inner join configurations
        on
            combined.submission_id = configurations.submission_id
            and combined.configuration_id = configurations.configuration_id
    where combined.load_value > 0

)

select * from final
