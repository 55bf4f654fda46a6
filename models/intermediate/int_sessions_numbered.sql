{{ config(materialized='table') }}

-- what an excerpt holds was measured in other files, each with times of its own
with origins as (

    select
        repetition_id,
        min(origin_sha256) as origin_sha256,
        min(origin_pointer) as origin_pointer
    from {{ source('raw', 'results') }}
    where origin_sha256 is not null
    group by repetition_id

),

repetitions as (

    select
        repetitions.repetition_id,
        submission_id,
        configuration_id,
        coalesce(origins.origin_sha256, file_id) as file_id,
        coalesce(origins.origin_pointer, source_pointer) as pointer,
        cast(round(1e6 * (coalesce(duration_seconds, 0) + coalesce(ramp_seconds, 0))) as bigint) as run_microseconds,
        started_at as stated_start,
        ended_at as stated_end
    from {{ ref('repetitions') }} as repetitions
    left join origins on repetitions.repetition_id = origins.repetition_id

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

configurations as (

    select
        submission_id,
        configuration_id,
        booted_at,
        measurement_area_bytes,
        count(*) over (partition by submission_id) as configuration_count
    from {{ source('raw', 'configurations') }}

),

handed as (

    select
        *,
        count(document_index) over (partition by submission_id, source_sha256) as part_count
    from {{ source('raw', 'files') }}
    where role = 'preparation'

),

-- of a file with several documents each is a preparation of its own
preparations as (

    select distinct
        submission_id,
        configuration_id,
        ended_at,
        written_bytes
    from handed
    where written_bytes > 0 and ended_at is not null and (document_index is not null or part_count = 0)

),

-- what wrote less than was measured left the rest as it was; a preparation that names no configuration is of the only
-- one: of several nobody says which it was of
breaks as (

    select
        configurations.submission_id,
        configurations.configuration_id,
        preparations.ended_at as broken_at
    from configurations
    inner join preparations
        on
            configurations.submission_id = preparations.submission_id
            and (
                configurations.configuration_id = preparations.configuration_id
                or (preparations.configuration_id is null and configurations.configuration_count = 1)
            )
            and preparations.written_bytes >= coalesce(configurations.measurement_area_bytes, 1)
    union distinct
    select
        submission_id,
        configuration_id,
        booted_at as broken_at
    from configurations
    where booted_at is not null

),

broken as (

    select
        submission_id,
        configuration_id,
        list(broken_at) as broken_ats
    from breaks
    group by submission_id, configuration_id

),

dated as (

    select
        *,
        case when contains(pointer, '#') then split_part(pointer, '#', 1) else '' end as document_part,
        coalesce(stated_start, stated_end - to_microseconds(run_microseconds)) as own_start,
        coalesce(stated_end, stated_start + to_microseconds(run_microseconds)) as own_end
    from repetitions

),

-- a document that dates few of its runs, as fio's reports date the last only: the others lie before its end
filed as (

    select
        file_id,
        document_part,
        max(own_end) as last_end,
        least(min(own_start), max(own_end) - to_microseconds(cast(sum(run_microseconds) as bigint))) as first_start
    from dated
    group by file_id, document_part

),

placed as (

    select
        dated.repetition_id,
        dated.submission_id,
        dated.configuration_id,
        dated.own_start is not null as is_dated_alone,
        coalesce(dated.own_start, filed.first_start) as started_at,
        coalesce(dated.own_end, filed.last_end) as ended_at
    from dated
    inner join filed on dated.file_id = filed.file_id and dated.document_part = filed.document_part

),

spans as (

    select
        submission_id,
        started_at,
        max(ended_at) as ended_at,
        bool_and(started_at is not null) as is_dated
    from placed
    group by submission_id, started_at

),

followed as (

    select
        *,
        max(ended_at) over (
            partition by submission_id order by started_at rows between unbounded preceding and 1 preceding
        ) as previous_end,
        bool_and(is_dated) over (partition by submission_id) as is_wholly_dated
    from spans

),

numbered as (

    select
        followed.submission_id,
        followed.started_at,
        followed.is_wholly_dated,
        1 + count(*) filter (
            where
            followed.is_wholly_dated
            and followed.started_at - followed.previous_end
            >= to_microseconds(cast(1000000 * known_limits.limit_value as bigint))
        ) over (partition by followed.submission_id order by followed.started_at) as pause_index
    from followed
    cross join known_limits
    where known_limits.limit_id = 'session_gap'

),

final as (

    select
        placed.repetition_id,
        placed.submission_id,
        placed.started_at,
        placed.ended_at,
        placed.is_dated_alone,
        numbered.is_wholly_dated,
        -- pauses and breaks only become more: runs of a configuration have one number where neither lies between;
        -- the end of a run is known where its start is a guess, and what came before the one came before the other
        numbered.pause_index
        + case
            when numbered.is_wholly_dated and broken.broken_ats is not null
                then len(list_filter(broken.broken_ats, lambda each: each <= placed.ended_at))
            else 0
        end as session_index
    from placed
    inner join numbered
        on
            placed.submission_id = numbered.submission_id
            and placed.started_at is not distinct from numbered.started_at
    left join broken
        on
            placed.submission_id = broken.submission_id
            and placed.configuration_id = broken.configuration_id

)

select * from final
