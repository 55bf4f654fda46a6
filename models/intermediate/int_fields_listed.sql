{% set words = [
    'setting_set', 'system_vendor', 'system_model', 'cpu_model', 'cpu_power_state', 'cpu_microcode', 'bios_version',
    'bmc_firmware', 'virtualisation', 'storage_topology', 'raid_implementation', 'controller_model',
    'controller_firmware', 'controller_cache_policy', 'filesystem', 'mount_options', 'operating_system', 'kernel',
    'driver_name', 'driver_version', 'io_scheduler', 'power_plan', 'tool', 'tool_version', 'preconditioning',
    'steady_state', 'file_written', 'data_pattern', 'cache_bypass', 'device_id', 'drive_firmware'
] %}
{% set of_drives = ['write_cache', 'overprovisioning', 'lba_format', 'link_negotiated'] %}
{% set quantities = [
    'cpu_socket_count', 'cpu_core_count', 'cpu_thread_count', 'cpu_nominal_hertz', 'memory_bytes', 'drive_count',
    'raid_stripe_bytes', 'allocation_unit_bytes', 'measurement_area_bytes', 'run_time_seconds', 'ramp_seconds',
    'alignment_bytes', 'process_count'
] %}

with configurations as (

    select * from {{ ref('int_configurations_described') }}

),

settings as (

    select * from {{ source('raw', 'settings') }}

),

drives as (

    select * from {{ ref('int_drives_named') }}

),

driven as (

    select
        submission_id,
        configuration_id,
        {% for field in of_drives %}
            string_agg(distinct {{ field }}, '; ' order by {{ field }}) filter (where role = 'data') as {{ field }},
        {% endfor %}
        coalesce(
            string_agg(
                concat(drive_count, ' × ', device, ' (', role, ')'), '; ' order by position_index
            ) filter (where role <> 'data'),
            'none'
        ) as other_drives
    from drives
    group by submission_id, configuration_id

),

recorded as (

    select
        configurations.*,
        {% for field in of_drives %}
            driven.{{ field }},
        {% endfor %}
        driven.other_drives
    from configurations
    left join driven
        on
            configurations.submission_id = driven.submission_id
            and configurations.configuration_id = driven.configuration_id

),

listed as (

    select
        submission_id,
        configuration_id,
        unnest([
            {% for field in words + of_drives + ['other_drives'] %}
                { 'field': '{{ field }}', 'stated': {{ field }}, 'quantity': cast(null as double) },
            {% endfor %}
            {% for field in quantities %}
                {
                    'field': '{{ field }}',
                    'stated': cast({{ field }} as varchar),
                    'quantity': cast({{ field }} as double)
                }{{ ',' if not loop.last }}
            {% endfor %}
        ]) as listed_field
    from recorded

),

counted as (

    select
        listed.submission_id,
        listed.configuration_id,
        listed_field.field as field_name,
        listed_field.stated as field_value,
        listed_field.quantity as field_quantity,
        count(*) filter (where listed_field.stated is null) over (
            partition by listed.submission_id, listed.configuration_id
        ) as unknown_field_count
    from listed

),

stated as (

    select *
    from counted
    where field_value is not null
    union all by name
    select
        counted.submission_id,
        counted.configuration_id,
        concat(settings.scope, ' setting ', settings.name) as field_name,
        settings.value as field_value,
        cast(null as double) as field_quantity,
        min(counted.unknown_field_count) as unknown_field_count
    from settings
    inner join counted
        on settings.submission_id = counted.submission_id and settings.configuration_id = counted.configuration_id
    where settings.value is not null
    group by counted.submission_id, counted.configuration_id, settings.scope, settings.name, settings.value

),

hashed as (

    select
        *,
        hash(concat(field_name, '=', field_value)) as field_hash
    from stated

),

final as (

    select
        *,
        -- the exclusive or of all fields and this one again is the exclusive or of the others
        xor(bit_xor(field_hash) over whole_configuration, field_hash) as others_hash
    from hashed
    window whole_configuration as (partition by submission_id, configuration_id)

)

select * from final
