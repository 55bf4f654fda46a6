with drives as (

    select * from {{ ref('int_drives_worded') }}

),

devices as (

    select * from {{ ref('int_devices_named') }}

),

final as (

    select
        drives.* exclude (device_words, medium_words),
        devices.device,
        devices.short_name
    from drives
    inner join devices on drives.device_id = devices.device_id

)

select * from final
