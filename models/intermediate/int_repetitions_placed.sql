{{ config(materialized='table') }}

with repetitions as (

    select * from {{ ref('repetitions') }}

),

-- an excerpt's results were measured in other files, each with times of its own
origins as (

    select
        repetition_id,
        min(origin_sha256) as origin_sha256,
        min(origin_pointer) as origin_pointer
    from {{ source('raw', 'results') }}
    where origin_sha256 is not null
    group by repetition_id

),

dated as (

    select
        repetitions.repetition_id,
        hash(row(submission_id, configuration_id, section, workload_id, coalesce(load_basis, ''), queue_depth))
            as point_key,
        coalesce(origins.origin_sha256, file_id) as file_id,
        case
            when contains(coalesce(origins.origin_pointer, source_pointer), '#')
                then split_part(coalesce(origins.origin_pointer, source_pointer), '#', 1)
        end as document_part,
        cast(round(1e6 * (coalesce(duration_seconds, 0) + coalesce(ramp_seconds, 0))) as bigint) as run_microseconds,
        coalesce(started_at, ended_at - to_microseconds(run_microseconds)) as own_start,
        coalesce(ended_at, started_at + to_microseconds(run_microseconds)) as own_end
    from repetitions
    left join origins on repetitions.repetition_id = origins.repetition_id

),

-- a file that dates few of its runs, as fio's reports date the last only: the others are before its end
filed as (

    select
        *,
        max(own_end) over in_file as last_end,
        least(
            min(own_start) over in_file,
            max(own_end) over in_file - to_microseconds(cast(sum(run_microseconds) over in_file as bigint))
        ) as first_start,
        count(*) filter (where own_start is null) over (partition by file_id, document_part, point_key) as guessed_count
    from dated
    window in_file as (partition by file_id, document_part)

),

timed as (

    select
        repetition_id,
        point_key,
        coalesce(own_start, case when guessed_count < 2 then first_start end) as started_at,
        coalesce(own_end, case when guessed_count < 2 then last_end end) as ended_at
    from filed

),

followed as (

    select
        *,
        max(ended_at) over (
            partition by point_key order by started_at, ended_at, repetition_id
            rows between unbounded preceding and 1 preceding
        ) as previous_end,
        bool_and(started_at is not null) over (partition by point_key) as is_point_dated
    from timed

),

sessions as (

    select
        repetition_id,
        started_at,
        1 + count(*) filter (where is_point_dated and started_at - previous_end >= interval 30 minutes) over (
            partition by point_key order by started_at, ended_at, repetition_id
        ) as session_index
    from followed

),

named as (

    select
        * replace (
            case
                when load_basis is null or load_basis = 'outstanding_per_drive' then 'outstanding' else load_basis
            end as load_basis
        )
    from repetitions
    where
        (is_comparable or is_bound)
        and statistic in ('point', 'plateau', 'mean', 'median')
        and workload_id is not null
        and queue_depth is not null

),

final as (

    select
        left(
            md5(
                concat_ws(
                    ' ',
                    named.submission_id,
                    named.configuration_id,
                    named.section,
                    named.workload_id,
                    named.load_basis,
                    named.queue_depth
                )
            ),
            16
        ) as point_id,
        named.repetition_id,
        named.submission_id,
        named.configuration_id,
        named.section,
        named.workload_id,
        named.load_basis,
        named.queue_depth,
        named.queue_depth_per_drive,
        named.process_count,
        named.target_count,
        named.engine,
        named.is_direct,
        named.tool,
        named.tool_version,
        named.latency_kind,
        named.figure_id,
        named.repetition_index,
        -- by index and, where that is one, by id, as one number: lists of a million points are sorted by it
        greatest(least(named.repetition_index, 2097152), 0) * 1099511627776
        + coalesce(try_cast(concat('0x', left(named.repetition_id, 10)) as bigint), 0) as repetition_order,
        named.is_bound,
        named.value_kind,
        named.unit_basis,
        case when named.operations_origin = 'measured' then named.operations_per_second end as operations_per_second,
        case when named.throughput_origin = 'measured' then named.throughput_bytes_per_second end
            as throughput_bytes_per_second,
        named.latency_mean_seconds,
        named.operations_resolution_per_second,
        named.throughput_resolution_bytes_per_second,
        named.latency_resolution_seconds,
        sessions.session_index,
        sessions.started_at
    from named
    inner join sessions on named.repetition_id = sessions.repetition_id

)

select * from final
