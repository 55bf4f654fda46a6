with repetitions as (

    select * from {{ ref('int_repetitions_selected') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

measured as (

    select
        *,
        case when operations_origin = 'measured' then operations_per_second end as operations_measured,
        case when throughput_origin = 'measured' then throughput_bytes_per_second end as throughput_measured
    from repetitions

),

repeated as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        min(load_profile) as load_profile,
        load_basis,
        queue_depth,
        min(queue_depth_per_drive) as queue_depth_per_drive,
        case when min(process_count) = max(process_count) then min(process_count) end as process_count,
        -- what was not measured at all does not count
        least(
            nullif(count(operations_per_second), 0),
            nullif(count(throughput_bytes_per_second), 0),
            nullif(count(latency_mean_seconds), 0)
        ) as repetition_count,
        coalesce(median(operations_measured), median(operations_per_second)) as operations_per_second,
        coalesce(min(operations_measured), min(operations_per_second)) as operations_min_per_second,
        coalesce(max(operations_measured), max(operations_per_second)) as operations_max_per_second,
        max(operations_origin) as operations_origin,
        coalesce(median(throughput_measured), median(throughput_bytes_per_second)) as throughput_bytes_per_second,
        coalesce(min(throughput_measured), min(throughput_bytes_per_second)) as throughput_min_bytes_per_second,
        coalesce(max(throughput_measured), max(throughput_bytes_per_second)) as throughput_max_bytes_per_second,
        max(throughput_origin) as throughput_origin,
        case when min(latency_kind) = max(latency_kind) then min(latency_kind) end as latency_kind,
        median(latency_mean_seconds) as latency_mean_seconds,
        min(latency_mean_seconds) as latency_mean_min_seconds,
        max(latency_mean_seconds) as latency_mean_max_seconds,
        min(value_kind) as value_kind,
        max(unit_basis) as unit_basis
    from measured
    group by all

),

final as (

    select
        repeated.*,
        concat(case load_basis when 'outstanding' then 'queue_depth' else load_basis end, '=', queue_depth) as basis,
        configurations.device_id,
        configurations.device,
        configurations.media_class,
        configurations.storage_topology,
        configurations.drive_count
    from repeated
    inner join configurations
        on
            repeated.submission_id = configurations.submission_id
            and repeated.configuration_id = configurations.configuration_id

)

select * from final
