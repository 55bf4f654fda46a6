with final as (

    select * exclude (short_name, negotiated_bytes_per_second, offered_bytes_per_second, offered_link)
    from {{ ref('int_device_labels') }}
    semi join {{ ref('int_configurations_described') }} using (submission_id, configuration_id)

)

select * from final
