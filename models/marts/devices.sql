with drives as (

    select * from {{ ref('int_drives_named') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

results as (

    select * from {{ ref('results') }}

),

measured as (

    select
        configurations.device_id,
        count(results.result_id) as result_count,
        count(distinct results.workload_id) as load_profile_count
    from configurations
    inner join results
        on
            configurations.submission_id = results.submission_id
            and configurations.configuration_id = results.configuration_id
    group by configurations.device_id

),

listed as (

    select drives.*
    from drives
    inner join configurations
        on
            drives.submission_id = configurations.submission_id
            and drives.configuration_id = configurations.configuration_id

),

described as (

    select
        device_id,
        {% for column in [
            'device', 'vendor', 'model', 'part_number', 'media_class', 'nand_type', 'rotation_hertz', 'capacity_bytes',
            'interface_protocol', 'interface_generation', 'interface_lane_count', 'form_factor', 'endurance'
        ] %}
            first({{ column }} order by submission_id, configuration_id, position_index)
            filter (where {{ column }} is not null) as {{ column }},
        {% endfor %}
        string_agg(distinct firmware, '; ' order by firmware) as firmwares,
        count(distinct submission_id) as submission_count,
        count(distinct submission_id || '/' || configuration_id) as configuration_count
    from listed
    group by device_id

),

final as (

    select
        described.*,
        coalesce(measured.result_count, 0) as result_count,
        coalesce(measured.load_profile_count, 0) as load_profile_count
    from described
    left join measured on described.device_id = measured.device_id

)

select * from final
