with configurations as (

    select * from {{ ref('int_configurations_described') }}

),

listed as (

    select
        submission_id,
        configuration_id,
        unnest([
            { 'field': 'setting_set', 'stated': setting_set, 'quantity': null },
            { 'field': 'system_vendor', 'stated': system_vendor, 'quantity': null },
            { 'field': 'system_model', 'stated': system_model, 'quantity': null },
            { 'field': 'cpu_model', 'stated': cpu_model, 'quantity': null },
            {
                'field': 'cpu_socket_count',
                'stated': cast(cpu_socket_count as varchar),
                'quantity': cast(cpu_socket_count as double)
            },
            {
                'field': 'cpu_core_count',
                'stated': cast(cpu_core_count as varchar),
                'quantity': cast(cpu_core_count as double)
            },
            {
                'field': 'cpu_nominal_hertz',
                'stated': cast(cpu_nominal_hertz as varchar),
                'quantity': cast(cpu_nominal_hertz as double)
            },
            { 'field': 'cpu_power_state', 'stated': cpu_power_state, 'quantity': null },
            { 'field': 'cpu_microcode', 'stated': cpu_microcode, 'quantity': null },
            {
                'field': 'memory_bytes',
                'stated': cast(memory_bytes as varchar),
                'quantity': cast(memory_bytes as double)
            },
            { 'field': 'bios_version', 'stated': bios_version, 'quantity': null },
            { 'field': 'bmc_firmware', 'stated': bmc_firmware, 'quantity': null },
            { 'field': 'virtualisation', 'stated': virtualisation, 'quantity': null },
            { 'field': 'storage_topology', 'stated': storage_topology, 'quantity': null },
            { 'field': 'drive_count', 'stated': cast(drive_count as varchar), 'quantity': cast(drive_count as double) },
            { 'field': 'raid_implementation', 'stated': raid_implementation, 'quantity': null },
            {
                'field': 'raid_stripe_bytes',
                'stated': cast(raid_stripe_bytes as varchar),
                'quantity': cast(raid_stripe_bytes as double)
            },
            { 'field': 'controller_model', 'stated': controller_model, 'quantity': null },
            { 'field': 'controller_firmware', 'stated': controller_firmware, 'quantity': null },
            { 'field': 'controller_cache_policy', 'stated': controller_cache_policy, 'quantity': null },
            { 'field': 'filesystem', 'stated': filesystem, 'quantity': null },
            {
                'field': 'allocation_unit_bytes',
                'stated': cast(allocation_unit_bytes as varchar),
                'quantity': cast(allocation_unit_bytes as double)
            },
            { 'field': 'mount_options', 'stated': mount_options, 'quantity': null },
            { 'field': 'operating_system', 'stated': operating_system, 'quantity': null },
            { 'field': 'kernel', 'stated': kernel, 'quantity': null },
            { 'field': 'driver_name', 'stated': driver_name, 'quantity': null },
            { 'field': 'driver_version', 'stated': driver_version, 'quantity': null },
            { 'field': 'io_scheduler', 'stated': io_scheduler, 'quantity': null },
            { 'field': 'power_plan', 'stated': power_plan, 'quantity': null },
            { 'field': 'tool', 'stated': tool, 'quantity': null },
            { 'field': 'tool_version', 'stated': tool_version, 'quantity': null },
            { 'field': 'preconditioning', 'stated': preconditioning, 'quantity': null },
            { 'field': 'steady_state', 'stated': steady_state, 'quantity': null },
            {
                'field': 'measurement_area_bytes',
                'stated': cast(measurement_area_bytes as varchar),
                'quantity': cast(measurement_area_bytes as double)
            },
            { 'field': 'file_written', 'stated': file_written, 'quantity': null },
            { 'field': 'data_pattern', 'stated': data_pattern, 'quantity': null },
            { 'field': 'cache_bypass', 'stated': cache_bypass, 'quantity': null },
            {
                'field': 'run_time_seconds',
                'stated': cast(run_time_seconds as varchar),
                'quantity': cast(run_time_seconds as double)
            },
            {
                'field': 'ramp_seconds',
                'stated': cast(ramp_seconds as varchar),
                'quantity': cast(ramp_seconds as double)
            },
            {
                'field': 'alignment_bytes',
                'stated': cast(alignment_bytes as varchar),
                'quantity': cast(alignment_bytes as double)
            },
            {
                'field': 'process_count',
                'stated': cast(process_count as varchar),
                'quantity': cast(process_count as double)
            },
            { 'field': 'device_id', 'stated': device_id, 'quantity': null },
            { 'field': 'drive_firmware', 'stated': drive_firmware, 'quantity': null }
        ]) as listed_field
    from configurations

),

hashed as (

    select
        listed.submission_id,
        listed.configuration_id,
        listed_field.field as field_name,
        listed_field.stated as field_value,
        listed_field.quantity as field_quantity,
        hash(concat(listed_field.field, '=', listed_field.stated)) as field_hash
    from listed

),

final as (

    select
        submission_id,
        configuration_id,
        field_name,
        field_value,
        field_quantity,
        -- the exclusive or of all fields and this one again is the exclusive or of the others
        xor(bit_xor(field_hash) over whole_configuration, field_hash) as others_hash,
        count(*) over whole_configuration - count(field_value) over whole_configuration as unknown_field_count
    from hashed
    window whole_configuration as (partition by submission_id, configuration_id)

)

select * from final
