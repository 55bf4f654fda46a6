{{ config(materialized='table') }}

with repetitions as (

    select * from {{ ref('repetitions') }}

),

sessions as (

    select * from {{ ref('int_sessions_numbered') }}

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
