with results as (

    select * from {{ source('raw', 'results') }}

),

located as not materialized (

    select
        *,
        case when contains(source_pointer, '#') then split_part(source_pointer, '#', 1) else '' end as document_part
    from results

),

documents as (

    select
        source_sha256,
        document_part,
        bool_or(is_aggregate and scope = 'all') as has_total
    from located
    where not is_partial
    group by source_sha256, document_part

),

job_groups as (

    select
        source_sha256,
        document_part,
        group_index,
        count(distinct repetition_id) as concurrent_count
    from located
    where not is_partial and not is_aggregate and scope <> 'publication' and group_index is not null
    group by source_sha256, document_part, group_index

),

final as (

    select
        located.*,
        case
            when located.is_aggregate then located.scope = 'all'
            when coalesce(documents.has_total, false) then false
            else coalesce(job_groups.concurrent_count, 1) = 1
        end as is_whole_load
    from located
    left join documents
        on located.source_sha256 = documents.source_sha256 and located.document_part = documents.document_part
    left join job_groups
        on
            located.source_sha256 = job_groups.source_sha256
            and located.document_part = job_groups.document_part
            and located.group_index = job_groups.group_index

)

select * from final
