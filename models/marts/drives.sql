with configurations as (

    select * from {{ ref('int_configurations_described') }}

),

drives as (

    select * exclude (short_name, negotiated_bytes_per_second, offered_bytes_per_second, offered_link)
    from {{ ref('int_device_labels') }}

),

final as (

    select drives.*
    from drives
    inner join configurations
        on
            drives.submission_id = configurations.submission_id
            and drives.configuration_id = configurations.configuration_id

)

select * from final
