with fields as (

    select * from {{ ref('int_fields_listed') }}

),

effects as (

    -- what may change along with a field, because it is part of the same change
    select
        unnest(['measurement_area_bytes', 'cpu_nominal_hertz', 'setting_set']) as field_name,
        unnest([
            [],
            ['cpu_model', 'cpu_socket_count', 'cpu_core_count', 'cpu_thread_count', 'cpu_microcode'],
            ['power_plan', 'cpu_power_state', 'cpu_thread_count', 'io_scheduler', 'mount_options', 'write_cache']
        ]) as companions

),

grouped as (

    select
        effects.field_name,
        fields.submission_id,
        fields.configuration_id,
        fields.field_value,
        fields.field_quantity,
        fields.unknown_field_count,
        fields.field_name as stated_name,
        fields.field_hash,
        list_contains(effects.companions, fields.field_name)
        or (effects.field_name = 'setting_set' and fields.field_name like '% setting %') as is_companion
    from fields
    cross join effects

),

summarised as (

    select
        field_name,
        submission_id,
        configuration_id,
        min(field_value) filter (where stated_name = field_name) as field_value,
        min(field_quantity) filter (where stated_name = field_name) as field_quantity,
        min(unknown_field_count) as unknown_field_count,
        bit_xor(field_hash) filter (where stated_name <> field_name and not is_companion) as others_hash
    from grouped
    group by field_name, submission_id, configuration_id

),

ordered as (

    select
        *,
        -- the settings that a machine comes with are what others are measured against
        field_quantity is null and not starts_with(lower(field_value), 'default') as is_changed
    from summarised
    where field_value is not null

),

pairs as (

    select
        a.field_name,
        a.submission_id,
        a.configuration_id as a_configuration_id,
        b.configuration_id as b_configuration_id,
        a.field_value as a_field_value,
        b.field_value as b_field_value,
        a.field_quantity as a_field_quantity,
        b.field_quantity as b_field_quantity,
        greatest(a.unknown_field_count, b.unknown_field_count) as unknown_field_count
    from ordered as a
    inner join ordered as b
        on
            a.field_name = b.field_name
            and a.submission_id = b.submission_id
            and a.others_hash is not distinct from b.others_hash
    where
        case
            when a.field_quantity is not null then a.field_quantity < b.field_quantity
            else (a.is_changed, a.field_value) < (b.is_changed, b.field_value)
        end

),

companions as (

    select
        pairs.field_name,
        pairs.submission_id,
        pairs.a_configuration_id,
        pairs.b_configuration_id,
        grouped.stated_name
    from pairs
    inner join grouped
        on
            pairs.field_name = grouped.field_name
            and pairs.submission_id = grouped.submission_id
            and grouped.configuration_id in (pairs.a_configuration_id, pairs.b_configuration_id)
    where grouped.is_companion
    group by
        pairs.field_name,
        pairs.submission_id,
        pairs.a_configuration_id,
        pairs.b_configuration_id,
        grouped.stated_name
    having count(*) = 1 or min(grouped.field_value) < max(grouped.field_value)

),

changed as (

    select
        field_name,
        submission_id,
        a_configuration_id,
        b_configuration_id,
        string_agg(stated_name, ', ' order by stated_name) as changed_fields
    from companions
    group by field_name, submission_id, a_configuration_id, b_configuration_id

),

final as (

    select
        pairs.*,
        changed.changed_fields
    from pairs
    left join changed
        on
            pairs.field_name = changed.field_name
            and pairs.submission_id = changed.submission_id
            and pairs.a_configuration_id = changed.a_configuration_id
            and pairs.b_configuration_id = changed.b_configuration_id

)

select * from final
