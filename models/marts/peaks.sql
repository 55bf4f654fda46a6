with computed as (

    select * from {{ ref('int_peaks_computed') }}

),

stated as (

    select * from {{ ref('int_peaks_stated') }}

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
        peak_value,
        'stated' as peak_origin,
        queue_depth,
        queue_depth_low,
        queue_depth_high,
        process_count,
        value_kind,
        unit_basis,
        cast(null as varchar) as queue_depths,
        cast(null as bigint) as depth_count,
        cast(null as bigint) as repetition_count,
        cast(null as boolean) as is_peak_at_edge,
        cast(null as double) as plateau_value
    from stated
    union all by name
    select
        computed.*,
        'computed' as peak_origin
    from computed
    anti join stated
        on
            computed.submission_id = stated.submission_id
            and computed.configuration_id = stated.configuration_id
            and computed.section = stated.section
            and computed.workload_id = stated.workload_id
            and computed.metric = stated.metric

),

final as (

    select
        combined.*,
        configurations.device_id,
        configurations.device,
        configurations.media_class,
        configurations.storage_topology,
        configurations.drive_count
    from combined
    inner join configurations
        on
            combined.submission_id = configurations.submission_id
            and combined.configuration_id = configurations.configuration_id

)

select * from final
