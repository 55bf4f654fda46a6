{{ config(materialized='table') }}

{% set of_configurations = [
    'system_vendor', 'system_model', 'cpu_model', 'cpu_socket_count', 'cpu_core_count', 'cpu_thread_count',
    'cpu_nominal_hertz', 'cpu_power_state', 'cpu_microcode', 'memory_bytes', 'bios_version', 'bmc_firmware',
    'virtualisation', 'storage_topology', 'drive_count', 'raid_implementation', 'raid_stripe_bytes', 'controller_model',
    'controller_firmware', 'controller_cache_policy', 'filesystem', 'allocation_unit_bytes', 'mount_options',
    'operating_system', 'kernel', 'driver_name', 'driver_version', 'io_scheduler', 'power_plan',
    'preconditioning_class', 'purge_class', 'steady_state_class', 'address_seed', 'file_written', 'data_pattern', 'run_time_seconds',
    'alignment_bytes', 'reported_run', 'setting_set', 'preconditioning', 'steady_state', 'measurement_area', 'conditions'
] %}
{% set of_drives = [
    'device_id', 'vendor', 'model', 'part_number', 'firmware', 'media_class', 'nand_type', 'rotation_hertz',
    'capacity_bytes', 'interface_protocol', 'interface_generation', 'interface_lane_count', 'link_negotiated',
    'specimen', 'form_factor', 'lba_format', 'write_cache', 'power_loss_protection', 'overprovisioning', 'endurance'
] %}
{% set of_operands = [
    'engine', 'process_count', 'target_count', 'tool', 'tool_version', 'latency_kind', 'load_basis', 'queue_depth_origin'
] %}

with operands as (

    select * from {{ ref('int_operands') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

drives as (

    select * from {{ source('raw', 'drives') }}

),

settings as (

    select * from {{ source('raw', 'settings') }}

),

facts as (

    select * from {{ source('raw', 'provenance') }}

),

driven as (

    select
        submission_id,
        configuration_id,
        {% for column in of_drives %}
            string_agg(distinct cast({{ column }} as varchar), '; ' order by cast({{ column }} as varchar))
            filter (where role = 'data') as {{ column }},
        {% endfor %}
        -- how many data drives there are is a column of its own
        concat_ws(
            ', ',
            sum(drive_count) filter (where role = 'cache') || ' cache',
            '1 data',
            sum(drive_count) filter (where role = 'log') || ' log'
        ) as drive_roles
    from drives
    group by submission_id, configuration_id

),

circumstances as (

    select distinct
        circumstances_id,
        submission_id,
        configuration_id,
        cache_bypass,
        searched_depths,
        missing_members,
        {{ of_operands | join(', ') }}
    from operands

),

of_configuration as (

    select
        configurations.submission_id,
        configurations.configuration_id,
        unnest([
            {% for column in of_configurations %}
                { 'condition': 'configurations.{{ column }}', 'stated': cast(configurations.{{ column }} as varchar) },
            {% endfor %}
            {
                'condition': 'configurations.measurement_area_bytes',
                'stated': configurations.measurement_area_bytes || '/' || configurations.data_capacity_bytes
            },
            { 'condition': 'submissions.source_type', 'stated': configurations.source_type },
            {% for column in of_drives %}
                { 'condition': 'drives.{{ column }}', 'stated': driven.{{ column }} },
            {% endfor %}
            { 'condition': 'drives.role', 'stated': driven.drive_roles }
        ]) as listed
    from configurations
    left join driven
        on
            configurations.submission_id = driven.submission_id
            and configurations.configuration_id = driven.configuration_id

),

roles as (

    select * from {{ ref('known_roles') }}

),

inapplicable as (

    select distinct
        submission_id,
        configuration_id,
        field
    from facts
    where how_known = 'not_applicable'

),

-- what somebody concluded is no observation: where it decides, it counts as unknown
inferred as (

    select distinct
        facts.submission_id,
        facts.configuration_id,
        facts.field
    from facts
    inner join roles on facts.field = roles.column_name and roles.table_name in ('configurations', 'drives')
    where facts.how_known = 'inferred' and roles.role = 'key'

),

of_circumstances as (

    select
        circumstances_id,
        unnest([
            {% for column in of_operands %}
                { 'condition': 'results.{{ column }}', 'stated': cast({{ column }} as varchar) },
            {% endfor %}
            { 'condition': 'results.is_direct', 'stated': cache_bypass },
            { 'condition': 'results.queue_depth_low', 'stated': split_part(searched_depths, ' to ', 1) },
            { 'condition': 'results.queue_depth_high', 'stated': split_part(searched_depths, ' to ', -1) }
        ]) as listed
    from circumstances

),

stated as (

    select
        circumstances.circumstances_id,
        of_configuration.listed['condition'] as column_name,
        coalesce(
            case when inferred.field is null then of_configuration.listed['stated'] end,
            case when inapplicable.field is not null then 'not applicable' end
        ) as stated_value
    from circumstances
    inner join of_configuration
        on
            circumstances.submission_id = of_configuration.submission_id
            and circumstances.configuration_id = of_configuration.configuration_id
    left join inapplicable
        on
            of_configuration.submission_id = inapplicable.submission_id
            and of_configuration.configuration_id = inapplicable.configuration_id
            and split_part(of_configuration.listed['condition'], '.', 2) = inapplicable.field
    left join inferred
        on
            of_configuration.submission_id = inferred.submission_id
            and of_configuration.configuration_id = inferred.configuration_id
            and split_part(of_configuration.listed['condition'], '.', 2) = inferred.field
    union all
    select
        circumstances_id,
        listed['condition'] as column_name,
        listed['stated'] as stated_value
    from of_circumstances
    union all
    select
        circumstances_id,
        concat('results.', unnest(string_split(missing_members, ', '))) as column_name,
        cast(null as varchar) as stated_value
    from circumstances
    where missing_members <> ''
    union all
    select
        circumstances.circumstances_id,
        concat('settings.value ', lower(settings.scope), ' ', lower(settings.name)) as column_name,
        min(settings.value) as stated_value
    from circumstances
    inner join settings
        on
            circumstances.submission_id = settings.submission_id
            and circumstances.configuration_id = settings.configuration_id
    where settings.how_known <> 'inferred' and settings.value is not null
    group by circumstances.circumstances_id, settings.scope, settings.name

),

final as (

    select
        *,
        canonical(column_name, stated_value) as condition_value,
        hash(row(column_name, stated_value)) as condition_id
    from stated

)

select * from final
