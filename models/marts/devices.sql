with drives as (

    select * from {{ ref('int_device_labels') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

results as (

    select * from {{ ref('results') }}

),

-- what a reservation or a check excludes speaks for no device
points as (

    select * from {{ ref('points') }}
    where len(exclusions) = 0

),

peaks as (

    select * from {{ ref('peaks') }}

),

means as (

    select * from {{ ref('int_drives_divided') }}

),

measured as (

    select
        configurations.device_id,
        count(results.result_id) as result_count,
        count(results.result_id) filter (where results.figure_id is null) as raw_result_count,
        count(distinct results.workload_id) as load_profile_count,
        list(distinct results.load_profile order by results.load_profile)
        filter (where results.load_profile is not null) as load_profiles
    from configurations
    inner join results
        on
            configurations.submission_id = results.submission_id
            and configurations.configuration_id = results.configuration_id
    group by configurations.device_id

),

rates as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        device_id,
        drive_count,
        peak_value as rate_value
    from peaks
    union all
    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        device_id,
        drive_count,
        rate_value
    from means
    where basis = 'mean'

),

-- the highest rate of as few drives as were measured, so that an array does not speak for one drive
highest as (

    {% for metric in ['operations_per_second', 'throughput_bytes_per_second'] %}
        select
            device_id,
            metric,
            rate_value,
            load_profile,
            drive_count,
            concat(submission_id, '/', configuration_id) as place
        from rates
        where metric = '{{ metric }}' and device_id is not null
        qualify
            row_number() over (
                partition by device_id
                order by
                    drive_count asc nulls last,
                    rate_value desc,
                    submission_id asc,
                    configuration_id asc,
                    section asc,
                    workload_id asc
            ) = 1
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

quickest as (

    select
        device_id,
        latency_mean_seconds,
        latency_kind,
        load_profile,
        concat(submission_id, '/', configuration_id) as place
    from points
    where load_basis = 'outstanding' and queue_depth = 1 and latency_mean_seconds is not null and device_id is not null
    qualify
        row_number() over (
            partition by device_id
            order by
                latency_mean_seconds asc,
                submission_id asc,
                configuration_id asc,
                section asc,
                workload_id asc
        ) = 1

),

repeated as (

    select
        device_id,
        max(run_count) as run_count
    from points
    where starts_with(section, 'tool output')
    group by device_id

),

listed as (

    select drives.*
    from drives
    inner join configurations
        on
            drives.submission_id = configurations.submission_id
            and drives.configuration_id = configurations.configuration_id

),

described as (

    select
        device_id,
        {% for column in [
            'device', 'short_name', 'vendor', 'model', 'part_number', 'media_class', 'nand_type', 'rotation_hertz',
            'capacity_bytes', 'interface_protocol', 'interface_generation', 'interface_lane_count', 'offered_link',
            'form_factor', 'endurance'
        ] %}
            first({{ column }} order by submission_id, configuration_id, position_index)
            filter (where {{ column }} is not null) as {{ column }},
        {% endfor %}
        first(offered_bytes_per_second order by submission_id, configuration_id, position_index)
        filter (where offered_link is not null) as offered_bytes_per_second,
        coalesce(list(distinct firmware order by firmware) filter (where firmware is not null), []) as firmwares,
        list(distinct submission_id order by submission_id) as submissions,
        count(distinct submission_id) as submission_count,
        list(distinct submission_id || '/' || configuration_id order by submission_id || '/' || configuration_id)
            as configurations,
        count(distinct submission_id || '/' || configuration_id) as configuration_count
    from listed
    group by device_id

),

final as (

    select
        described.* exclude (offered_link, offered_bytes_per_second),
        case when described.media_class = 'hdd' then 2 * described.rotation_hertz end as half_rotation_hertz,
        described.offered_link as interface_limit,
        described.offered_bytes_per_second as interface_limit_bytes_per_second,
        coalesce(measured.result_count, 0) as result_count,
        coalesce(measured.load_profile_count, 0) as load_profile_count,
        coalesce(measured.load_profiles, []) as load_profiles,
        operations.rate_value as best_operations_per_second,
        operations.load_profile as best_operations_load_profile,
        operations.drive_count as best_operations_drive_count,
        operations.place as best_operations_configuration,
        throughputs.rate_value as best_throughput_bytes_per_second,
        throughputs.load_profile as best_throughput_load_profile,
        throughputs.drive_count as best_throughput_drive_count,
        throughputs.place as best_throughput_configuration,
        quickest.latency_mean_seconds as lowest_latency_seconds,
        quickest.latency_kind as lowest_latency_kind,
        quickest.load_profile as lowest_latency_load_profile,
        quickest.place as lowest_latency_configuration,
        case
            when measured.raw_result_count > 0 and repeated.run_count >= 3 then 'repeated runs'
            when measured.raw_result_count > 0 then 'single runs'
            when measured.result_count > 0 then 'printed figures'
        end as best_evidence
    from described
    left join measured on described.device_id = measured.device_id
    left join highest as operations
        on described.device_id = operations.device_id and operations.metric = 'operations_per_second'
    left join highest as throughputs
        on described.device_id = throughputs.device_id and throughputs.metric = 'throughput_bytes_per_second'
    left join quickest on described.device_id = quickest.device_id
    left join repeated on described.device_id = repeated.device_id

)

select * from final
