with results as (

    select * from {{ source('raw', 'results') }}

),

located as not materialized (

    -- what ran together stands together in the file that was measured, which an excerpt names
    select
        *,
        coalesce(origin_sha256, source_sha256) as measured_sha256,
        coalesce(origin_pointer, source_pointer) as measured_pointer,
        case when contains(measured_pointer, '#') then split_part(measured_pointer, '#', 1) else '' end as document_part
    from results

),

documents as (

    select
        measured_sha256,
        document_part,
        bool_or(is_aggregate and scope = 'all') as has_total
    from located
    where not is_partial
    group by measured_sha256, document_part

),

job_groups as (

    select
        measured_sha256,
        document_part,
        group_index,
        count(distinct repetition_id) as concurrent_count
    from located
    where not is_partial and not is_aggregate and scope <> 'publication' and group_index is not null
    group by measured_sha256, document_part, group_index

),

-- the sum of jobs that ran together stands alone; that of the operations of one job stands beside them
repetitions as (

    select
        measured_sha256,
        repetition_id,
        bool_or(not is_aggregate) as has_parts,
        bool_or(operation in ('read', 'write', 'trim')) as has_directions
    from located
    where not is_partial
    group by measured_sha256, repetition_id

),

final as (

    select
        located.* exclude (measured_sha256, measured_pointer),
        case
            when located.scope = 'process' then false
            when located.is_aggregate and located.scope = 'group'
                then
                    not coalesce(repetitions.has_parts, true)
                    and not coalesce(documents.has_total, false)
                    and not (located.operation = 'mixed' and repetitions.has_directions)
            when located.is_aggregate then located.scope = 'all'
            when coalesce(documents.has_total, false) then false
            else coalesce(job_groups.concurrent_count, 1) = 1
        end as is_whole_load
    from located
    left join documents
        on located.measured_sha256 = documents.measured_sha256 and located.document_part = documents.document_part
    left join job_groups
        on
            located.measured_sha256 = job_groups.measured_sha256
            and located.document_part = job_groups.document_part
            and located.group_index = job_groups.group_index
    left join repetitions
        on located.measured_sha256 = repetitions.measured_sha256 and located.repetition_id = repetitions.repetition_id

)

select * from final
