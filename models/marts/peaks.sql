with peaks as (

    select * from {{ ref('int_peaks_computed') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

validity as (

    select * from {{ ref('int_validity_of_points') }}

),

final as (

    select
        -- a rate that something else held back is a lower bound of what the drives can do
        peaks.* exclude (low, high, kind, n) replace (
            case when validity.is_lower_bound then cast('inf' as double) else peaks.high_half end as high_half
        ),
        case when validity.is_lower_bound and peaks.kind = 'none' then peaks.peak_value else peaks.low end
            as peak_value_low,
        case when validity.is_lower_bound is not true then peaks.high end as peak_value_high,
        case
            when validity.is_lower_bound is not true or contains(peaks.kind, 'bound') then peaks.kind
            when peaks.kind = 'none' then 'bound'
            else concat('bound+', peaks.kind)
        end as peak_value_interval_kind,
        peaks.n as independent_run_count,
        configurations.device_id,
        configurations.device,
        configurations.media_class,
        configurations.storage_topology,
        configurations.drive_count
    from peaks
    inner join configurations
        on
            peaks.submission_id = configurations.submission_id
            and peaks.configuration_id = configurations.configuration_id
    left join validity
        on
            peaks.submission_id = validity.submission_id
            and peaks.configuration_id = validity.configuration_id
            and peaks.section = validity.section
            and peaks.workload_id = validity.workload_id
            and peaks.load_basis = validity.load_basis
            and peaks.queue_depth = validity.queue_depth
            and peaks.metric = validity.metric

)

select * from final
