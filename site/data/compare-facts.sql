-- What is stated about each configuration, its drives and its settings, one row per field; what is unknown has no row.
with standing as (
    select submission_id from submissions where status in ('active', 'disputed')
),

described as (
    unpivot (
        select submission_id, configuration_id, columns(configurations.* exclude (
            submission_id, configuration_id, title, setting_set_origin, known_field_count, required_field_count,
            completeness_ratio, submission_title, submission_status, device, drive_summary, load_profiles,
            load_profile_count, result_count, source_count, device_id, media_class, drive_capacity_bytes, drive_firmware
        ))::varchar
        from configurations
    ) on columns(* exclude (submission_id, configuration_id)) into name field value fact
),

drive_facts as (
    unpivot (
        select submission_id, configuration_id, position_index as place, columns(drives.* exclude (
            submission_id, configuration_id, position_index
        ))::varchar
        from drives
        where submission_id in (from standing)
    ) on columns(* exclude (submission_id, configuration_id, place)) into name field value fact
)

select submission_id, configuration_id, field, fact from described
union all
select submission_id, configuration_id, 'drive: ' || field, string_agg(fact, '; ' order by place)
from drive_facts
group by all
union all
select
    submission_id, configuration_id, 'setting: ' || replace(component, '_setting', '') || ': ' || field,
    string_agg(value, '; ' order by value)
from facts
where component like '%\_setting' escape '\' and origin = 'manifest'
group by all
order by all
