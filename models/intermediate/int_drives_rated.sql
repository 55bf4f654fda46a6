with drives as (

    select * from {{ source('raw', 'drives') }}

),

worded as (

    select
        submission_id,
        configuration_id,
        position_index,
        role,
        drive_count,
        interface_protocol,
        interface_lane_count,
        unnest(['negotiated', 'offered']) as link_kind,
        unnest([coalesce(link_negotiated, ''), coalesce(interface_generation, '')]) as said
    from drives

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
    from worded

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

final as (

    select
        submission_id,
        configuration_id,
        position_index,
        min(role) as drive_role,
        min(drive_count) as drive_count,
        max(bytes_per_second) filter (where link_kind = 'negotiated') as negotiated_bytes_per_second,
        max(bytes_per_second) filter (where link_kind = 'offered') as offered_bytes_per_second,
        max(link_text) filter (where link_kind = 'offered') as offered_link
    from rated
    group by submission_id, configuration_id, position_index

)

select * from final
