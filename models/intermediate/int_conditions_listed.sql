with configurations as (

    select * from {{ ref('int_configurations_described') }}

),

classed as (

    select
        submission_id,
        configuration_id,
        storage_topology,
        drive_count,
        case
            when measurement_area_ratio <= 0.1 then 'up to 10 %'
            when measurement_area_ratio >= 0.95 then 'whole capacity'
            when measurement_area_ratio is not null then 'part of the capacity'
        end as area_class,
        case
            when lower(preconditioning) in ('none', 'no') then 'none'
            when preconditioning is not null then 'done'
        end as preconditioning_class,
        preconditioning,
        case
            when lower(steady_state) in ('none', 'no') then 'none'
            when lower(steady_state) like 'pts%' then 'pts'
            when lower(steady_state) like 'fio%' then 'fio'
            when steady_state is not null then 'stated'
        end as steady_state_class,
        case
            when lower(file_written) like 'no%' then 'no'
            when file_written is not null then 'yes'
        end as file_written_class,
        data_pattern,
        cache_bypass,
        case
            when lower(virtualisation) = 'none' then 'bare metal'
            when virtualisation is not null then 'virtual'
        end as virtualisation_class,
        virtualisation,
        setting_set,
        round(2 * cpu_nominal_hertz / 1e9) / 2 || ' GHz' as clock_class,
        concat_ws(', ', system_vendor, system_model, cpu_model) as host_text,
        tool,
        tool_version
    from configurations

),

listed as (

    select
        submission_id,
        configuration_id,
        unnest([
            { 'condition': 'storage topology', 'stated': storage_topology, 'applies_to': 'all', 'is_key': true },
            { 'condition': 'drive count', 'stated': cast(drive_count as varchar), 'applies_to': 'all', 'is_key': true },
            { 'condition': 'measured area', 'stated': area_class, 'applies_to': 'all', 'is_key': true },
            { 'condition': 'preconditioning', 'stated': preconditioning_class, 'applies_to': 'writes', 'is_key': true },
            {
                'condition': 'wording of the preconditioning',
                'stated': preconditioning,
                'applies_to': 'writes',
                'is_key': false
            },
            { 'condition': 'steady state', 'stated': steady_state_class, 'applies_to': 'writes', 'is_key': true },
            {
                'condition': 'whether blocks were written before they were read',
                'stated': file_written_class,
                'applies_to': 'reads',
                'is_key': true
            },
            { 'condition': 'data pattern', 'stated': data_pattern, 'applies_to': 'writes', 'is_key': false },
            { 'condition': 'cache bypass', 'stated': cache_bypass, 'applies_to': 'all', 'is_key': true },
            { 'condition': 'virtualisation', 'stated': virtualisation_class, 'applies_to': 'all', 'is_key': true },
            { 'condition': 'hypervisor', 'stated': virtualisation, 'applies_to': 'all', 'is_key': false },
            { 'condition': 'setting set', 'stated': setting_set, 'applies_to': 'all', 'is_key': true },
            { 'condition': 'processor clock', 'stated': clock_class, 'applies_to': 'processor', 'is_key': true },
            { 'condition': 'host', 'stated': nullif(host_text, ''), 'applies_to': 'all', 'is_key': false },
            { 'condition': 'tool', 'stated': tool, 'applies_to': 'all', 'is_key': false },
            { 'condition': 'tool version', 'stated': tool_version, 'applies_to': 'all', 'is_key': false }
        ]) as listed_condition
    from classed

),

final as (

    select
        listed.submission_id,
        listed.configuration_id,
        listed_condition.condition as condition_name,
        listed_condition.stated as condition_value,
        listed_condition.applies_to,
        listed_condition.is_key
    from listed

)

select * from final
