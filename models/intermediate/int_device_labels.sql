with raw_drives as (

    select * from {{ source('raw', 'drives') }}

),

worded as (

    select
        *,
        case media_class
            when 'hdd' then 'HDD'
            when 'ssd_sas' then 'SSD'
            when 'ssd_sata' then 'SSD'
            when 'ssd_nvme' then 'NVMe SSD'
            when 'ssd_pcie' then 'PCIe SSD'
            when 'ssd_optane' then 'Optane SSD'
            when 'virtual' then 'virtual disk'
            else 'drive'
        end as medium_text,
        case when media_class in ('hdd', 'ssd_sas', 'ssd_sata', 'virtual') then interface_protocol end as bus_text,
        replace(
            case
                when capacity_bytes >= 1000000000000 then format('{:.1f} TB', capacity_bytes / 1e12)
                when capacity_bytes >= 1000000000 then format('{:.1f} GB', capacity_bytes / 1e9)
            end,
            '.0 ',
            ' '
        ) as capacity_text,
        replace(lower(model), ' ', '') as squeezed_model,
        replace(lower(capacity_text), ' ', '') as squeezed_capacity
    from raw_drives

),

drives as (

    select
        * exclude (medium_text, bus_text, capacity_text, squeezed_model, squeezed_capacity),
        case when vendor is null then concat_ws(' ', bus_text, medium_text) else medium_text end as medium_words,
        concat_ws(
            ' ',
            vendor,
            coalesce(model, medium_words),
            -- some makers have the capacity in the model's name
            case when not coalesce(contains(squeezed_model, squeezed_capacity), false) then capacity_text end
        ) as device_words
    from worded

),

combined as (

    select
        device_id,
        {% for column in ['device_words', 'medium_words', 'vendor', 'model', 'capacity_bytes'] %}
            first({{ column }} order by submission_id, configuration_id, position_index)
            filter (where {{ column }} is not null) as {{ column }},
        {% endfor %}
        -- what a device has several of is no part of its name
        case when count(distinct firmware) = 1 then min(firmware) end as firmware,
        case when count(distinct submission_id) = 1 then min(submission_id) end as submission_id
    from drives
    group by device_id

),

devices as (

    select
        device_id,
        long_name(
            device_words, medium_words, vendor, model, capacity_bytes, firmware, submission_id, device_id
        ) as device,
        short_name(
            device_words, medium_words, vendor, model, capacity_bytes, firmware, submission_id, device_id
        ) as short_name
    from combined

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
