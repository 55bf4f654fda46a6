with configurations as (

    select * from {{ ref('int_configurations_described') }}

),

drives as (

    select * from {{ ref('int_device_labels') }}

),

data_drives as (

    select
        submission_id,
        configuration_id,
        case when count(*) = count(media_class) and count(distinct media_class) = 1 then min(media_class) end
            as media_class,
        max(rotation_hertz) filter (where media_class = 'hdd') as rotation_hertz,
        -- of the drive that came closest to its limit, or went furthest beyond it
        arg_max(highest_temperature_kelvin, highest_temperature_kelvin - throttle_temperature_kelvin)
            as highest_temperature_kelvin,
        arg_max(throttle_temperature_kelvin, highest_temperature_kelvin - throttle_temperature_kelvin)
            as throttle_temperature_kelvin
    from drives
    where role = 'data'
    group by submission_id, configuration_id

),

links as (

    select
        submission_id,
        configuration_id,
        case
            when count(*) = count(coalesce(negotiated_bytes_per_second, offered_bytes_per_second))
                then
                    sum(
                        coalesce(negotiated_bytes_per_second, offered_bytes_per_second) * drive_count
                        order by position_index
                    )
        end as line_bytes_per_second,
        -- rounded, so that one way of writing a link is not below another by the last bit
        bool_or(round(negotiated_bytes_per_second) < round(offered_bytes_per_second))
        filter (where role = 'data') as is_below_offered
    from drives
    where role <> 'log'
    group by submission_id, configuration_id

),

final as (

    select
        configurations.submission_id,
        configurations.configuration_id,
        configurations.measurement_area_bytes,
        configurations.measurement_area_ratio,
        configurations.memory_bytes,
        configurations.cache_bypass,
        configurations.steady_state_class,
        data_drives.media_class,
        data_drives.rotation_hertz,
        data_drives.highest_temperature_kelvin,
        data_drives.throttle_temperature_kelvin,
        links.line_bytes_per_second,
        links.is_below_offered
    from configurations
    left join data_drives
        on
            configurations.submission_id = data_drives.submission_id
            and configurations.configuration_id = data_drives.configuration_id
    left join links
        on
            configurations.submission_id = links.submission_id
            and configurations.configuration_id = links.configuration_id

)

select * from final
