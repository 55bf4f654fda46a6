with configurations as (

    select * from {{ source('raw', 'configurations') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

drives as (

    select * from {{ ref('int_device_labels') }}

),

data_drives as (

    select
        submission_id,
        configuration_id,
        string_agg(distinct device_id, ' + ' order by device_id) as device_id,
        string_agg(distinct device, ' + ' order by device) as device,
        case when count(distinct media_class) > 1 then 'mixed' else min(media_class) end as media_class,
        case when count(distinct capacity_bytes) = 1 then min(capacity_bytes) end as drive_capacity_bytes,
        case
            when count(*) = count(capacity_bytes) then cast(sum(capacity_bytes * drive_count) as bigint)
        end as data_capacity_bytes,
        string_agg(distinct firmware, '; ' order by firmware) as drive_firmware,
        string_agg(distinct specimen, '; ' order by specimen) as drive_specimen
    from drives
    where role = 'data'
    group by submission_id, configuration_id

),

all_drives as (

    select
        submission_id,
        configuration_id,
        string_agg(concat(drive_count, ' × ', device, ' (', role, ')'), '; ' order by position_index) as drive_summary
    from drives
    group by submission_id, configuration_id

),

final as (

    select
        configurations.*,
        submissions.title as submission_title,
        submissions.status as submission_status,
        submissions.source_type,
        -- who imports what others measured confirms nothing by it
        coalesce(submissions.origin_measured_by, submissions.submitted_by) as submitted_by,
        data_drives.device_id,
        data_drives.device,
        data_drives.media_class,
        data_drives.drive_capacity_bytes,
        data_drives.data_capacity_bytes,
        data_drives.drive_firmware,
        data_drives.drive_specimen,
        all_drives.drive_summary,
        configurations.measurement_area_bytes / data_drives.data_capacity_bytes as measurement_area_ratio
    from configurations
    inner join submissions on configurations.submission_id = submissions.submission_id
    left join data_drives
        on
            configurations.submission_id = data_drives.submission_id
            and configurations.configuration_id = data_drives.configuration_id
    left join all_drives
        on
            configurations.submission_id = all_drives.submission_id
            and configurations.configuration_id = all_drives.configuration_id
    where submissions.status in ('active', 'disputed')

)

select * from final
