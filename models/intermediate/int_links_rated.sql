with drives as (

    select * from {{ ref('int_drives_rated') }}

),

final as (

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
        filter (where drive_role = 'data') as is_below_offered
    from drives
    where drive_role <> 'log'
    group by submission_id, configuration_id

)

select * from final
