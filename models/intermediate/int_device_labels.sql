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

-- what the link of each drive carries, one direction at a time
links as (

    select
        submission_id,
        configuration_id,
        position_index,
        interface_protocol,
        interface_lane_count,
        unnest(['negotiated', 'offered']) as link_kind,
        unnest([coalesce(link_negotiated, ''), coalesce(interface_generation, '')]) as said
    from raw_drives

),

parsed as (

    select
        *,
        coalesce(
            try_cast(nullif(regexp_extract(said, '([0-9.]+) ?GT/s', 1), '') as double),
            case regexp_extract(said, 'PCIe ([1-6])', 1)
                when '1' then 2.5 when '2' then 5 when '3' then 8 when '4' then 16 when '5' then 32 when '6' then 64
            end
        ) as gigatransfers,
        coalesce(
            try_cast(nullif(regexp_extract(said, '([0-9]+) lanes', 1), '') as double), interface_lane_count
        ) as lanes,
        try_cast(nullif(regexp_extract(said, '([0-9.]+) ?Gb/s', 1), '') as double) as gigabits
    from links

),

rated as (

    select
        *,
        -- 8 of 10 bits carry data up to 5 GT/s, 128 of 130 up to 32, 242 of 256 above; SATA and SAS carry 8 of 10
        coalesce(
            gigatransfers * 1e9 / 8 * lanes
            * case when gigatransfers <= 5 then 0.8 when gigatransfers <= 32 then 128 / 130 else 242 / 256 end,
            gigabits * 1e9 / 10
        ) as bytes_per_second,
        case
            when gigatransfers is not null and lanes is not null
                then
                    concat(
                        'PCIe ',
                        case gigatransfers
                            when 2.5 then 1 when 5 then 2 when 8 then 3 when 16 then 4 when 32 then 5 when 64 then 6
                        end,
                        '.0 ×',
                        cast(lanes as bigint)
                    )
            when interface_protocol in ('SATA', 'SAS') and gigabits is not null
                then format('{} {:g} Gb/s', interface_protocol, gigabits)
        end as link_text
    from parsed

),

linked as (

    select
        submission_id,
        configuration_id,
        position_index,
        max(bytes_per_second) filter (where link_kind = 'negotiated') as negotiated_bytes_per_second,
        max(bytes_per_second) filter (where link_kind = 'offered') as offered_bytes_per_second,
        max(link_text) filter (where link_kind = 'offered') as offered_link
    from rated
    group by submission_id, configuration_id, position_index

),

final as (

    select
        drives.* exclude (device_words, medium_words),
        devices.device,
        devices.short_name,
        linked.negotiated_bytes_per_second,
        linked.offered_bytes_per_second,
        linked.offered_link
    from drives
    inner join devices on drives.device_id = devices.device_id
    left join linked
        on
            drives.submission_id = linked.submission_id
            and drives.configuration_id = linked.configuration_id
            and drives.position_index = linked.position_index

)

select * from final
