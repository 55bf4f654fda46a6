with drives as (

    select * from {{ ref('int_drives_worded') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

devices as (

    select
        drives.device_id,
        {% for column in ['device_words', 'medium_words', 'vendor', 'model', 'capacity_bytes'] %}
            first(
                drives.{{ column }}
                order by drives.submission_id, drives.configuration_id, drives.position_index
            ) filter (where drives.{{ column }} is not null) as {{ column }},
        {% endfor %}
        -- what a device has several of does not tell it from others
        case when count(distinct drives.firmware) = 1 then min(drives.firmware) end as firmware,
        case when count(distinct drives.submission_id) = 1 then min(drives.submission_id) end as submission_id,
        case when count(distinct drives.submission_id) = 1 then min(submissions.origin_repository) end as repository
    from drives
    inner join submissions on drives.submission_id = submissions.submission_id
    group by drives.device_id

),

offered as (

    {% for kind in ['long', 'short'] %}
        select
            device_id,
            '{{ kind }}' as length_class,
            {{ kind }}_names(
                device_words,
                medium_words,
                vendor,
                model,
                capacity_bytes,
                firmware,
                submission_id,
                repository,
                device_id
            ) as texts
        from devices
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

unnested as (

    select
        device_id,
        length_class,
        unnest(texts) as device_text,
        generate_subscripts(texts, 1) as place_index
    from offered

),

-- A name is a device's own when nobody else has it as early: of two that have the same, one at most keeps it.
ranked as (

    select
        *,
        min(place_index) over (partition by length_class, device_text) as first_index,
        count(*) over (partition by length_class, device_text, place_index) as device_count
    from unnested

),

own as (

    select
        length_class,
        device_id,
        min_by(device_text, place_index) as device_text
    from ranked
    where place_index = first_index and device_count = 1
    group by length_class, device_id

),

final as (

    select
        device_id,
        min(device_text) filter (where length_class = 'long') as device,
        min(device_text) filter (where length_class = 'short') as short_name
    from own
    group by device_id

)

select * from final
