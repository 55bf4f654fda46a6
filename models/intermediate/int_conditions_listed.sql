with configurations as (

    select * from {{ ref('int_configurations_described') }}

),

drives as (

    select * from {{ source('raw', 'drives') }}

),

driven as (

    select
        submission_id,
        configuration_id,
        case
            when count(media_class) < count(*) then null
            when bool_and(media_class = 'virtual') then 'virtual'
            when bool_or(media_class = 'virtual') then 'virtual and real'
            else 'real'
        end as drive_class
    from drives
    where role = 'data'
    group by submission_id, configuration_id

),

classed as (

    select
        configurations.submission_id,
        configurations.configuration_id,
        configurations.storage_topology,
        configurations.drive_count,
        driven.drive_class,
        case
            when configurations.measurement_area_ratio <= 0.1 then 'up to 10 %'
            when configurations.measurement_area_ratio >= 0.95 then 'whole capacity'
            when configurations.measurement_area_ratio is not null then 'part of the capacity'
        end as area_class,
        case
            when configurations.measurement_area_ratio > 0.1 and configurations.measurement_area_ratio < 0.95
                then format('{:.1f} %', 100 * configurations.measurement_area_ratio)
        end as share_text,
        coalesce(
            configurations.preconditioning_class,
            case when lower(configurations.preconditioning) = 'none' then 'none' end
        ) as preconditioning_class,
        configurations.preconditioning,
        coalesce(
            configurations.steady_state_class,
            case when lower(configurations.steady_state) = 'none' then 'none' end
        ) as steady_state_class,
        case
            when regexp_matches(lower(configurations.file_written), '^no\b') then 'no'
            when not regexp_matches(lower(configurations.file_written), '^(not|none)\b') then 'yes'
        end as file_written_class,
        configurations.data_pattern,
        configurations.cache_bypass,
        case
            when lower(configurations.virtualisation) = 'none' then 'bare metal'
            when configurations.virtualisation is not null then 'virtual'
        end as virtualisation_class,
        configurations.virtualisation,
        configurations.setting_set,
        round(2 * configurations.cpu_nominal_hertz / 1e9) / 2 || ' GHz' as clock_class,
        concat_ws(', ', configurations.system_vendor, configurations.system_model, configurations.cpu_model)
            as host_text,
        configurations.tool,
        configurations.tool_version
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
            { 'condition': 'storage topology', 'stated': storage_topology, 'applies_to': 'all', 'is_key': true },
            { 'condition': 'drive count', 'stated': cast(drive_count as varchar), 'applies_to': 'all', 'is_key': true },
            { 'condition': 'kind of drive', 'stated': drive_class, 'applies_to': 'all', 'is_key': true },
            { 'condition': 'measured area', 'stated': area_class, 'applies_to': 'all', 'is_key': true },
            { 'condition': 'measured share', 'stated': share_text, 'applies_to': 'all', 'is_key': false },
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
