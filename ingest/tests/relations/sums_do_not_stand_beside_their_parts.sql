-- A result that sums up others is never compared in the same document as one of the results it sums up.
with results as (

    select
        *,
        case when contains(source_pointer, '#') then split_part(source_pointer, '#', 1) else source_pointer end
            as document_part
    from {{ ref('results') }}
    where is_comparable

),

final as (

    select
        sums.result_id,
        parts.result_id as part_id
    from results as sums
    inner join results as parts
        on
            sums.source_sha256 = parts.source_sha256
            and sums.document_part = parts.document_part
            and sums.operation = parts.operation
            and sums.group_index is not distinct from parts.group_index
    where sums.is_aggregate and not parts.is_aggregate

)

select * from final
