with final as (

    select * exclude (short_name, negotiated_bytes_per_second, offered_bytes_per_second, offered_link)
    from {{ ref('int_device_labels') }}

)

select * from final
