with provenance as (

    select * from {{ source('raw', 'provenance') }}

),

settings as (

    select * from {{ source('raw', 'settings') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

combined as (

    select
        submission_id,
        provenance_id as fact_id,
        configuration_id,
        subject,
        component,
        field,
        value,
        unit,
        how_known,
        known_from,
        case when starts_with(provenance_id, 'manifest/') then 'manifest' else 'publication' end as origin,
        locator,
        note
    from provenance
    union all by name
    select
        submission_id,
        concat('manifest/', configuration_id, '/', scope, '_setting/', name) as fact_id,
        configuration_id,
        configuration_id as subject,
        concat(scope, '_setting') as component,
        name as field,
        value,
        cast(null as varchar) as unit,
        how_known,
        known_from,
        'manifest' as origin,
        locator,
        note
    from settings

),

final as (

    select combined.*
    from combined
    inner join submissions on combined.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed')

)

select * from final
