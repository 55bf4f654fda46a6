with drives as (

    select * from {{ ref('int_drives_worded') }}

),

devices as (

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

final as (

    select
        device_id,
        {% for name in ['long', 'short'] %}
            {{ name }}_name(
                device_words, medium_words, vendor, model, capacity_bytes, firmware, submission_id, device_id
            ) as {{ 'device' if name == 'long' else 'short_name' }}{{ ',' if not loop.last }}
        {% endfor %}
    from devices

)

select * from final
