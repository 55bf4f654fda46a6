{{ config(materialized='table') }}

with results as not materialized (

    select * from {{ source('raw', 'results') }}

),

texts as (

    select distinct job_options from results
    where job_options is not null

),

-- what options say of a load, once for every text of options
options as (

    select
        job_options,
        load_options(job_options) as load_options
    from texts

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
parts as (

    select
        measured_sha256,
        repetition_id,
        bool_or(not is_aggregate) as has_parts,
        bool_or(operation in ('read', 'write', 'trim')) as has_directions
    from located
    where not is_partial
    group by measured_sha256, repetition_id

),

scoped as not materialized (

    select
        located.* exclude (measured_sha256, measured_pointer),
        case
            when located.scope = 'process' then false
            when located.is_aggregate and located.scope = 'group'
                then
                    not coalesce(parts.has_parts, true)
                    and not coalesce(documents.has_total, false)
                    and not (located.operation = 'mixed' and parts.has_directions)
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
    left join parts on located.measured_sha256 = parts.measured_sha256 and located.repetition_id = parts.repetition_id

),

several as not materialized (

    select
        repetition_id,
        min(coalesce(block_size_min_bytes, block_size_bytes)) as block_size_min_bytes,
        max(coalesce(block_size_max_bytes, block_size_bytes)) as block_size_max_bytes
    from scoped
    where operation in ('read', 'write') and is_whole_load and not is_partial and block_size_bytes is not null
    group by repetition_id
    having min(block_size_bytes) <> max(block_size_bytes)

),

-- reads and writes that ran together with blocks of two sizes are one load, and not two
directions as not materialized (

    select
        results.repetition_id,
        min(several.block_size_min_bytes) as block_size_min_bytes,
        min(several.block_size_max_bytes) as block_size_max_bytes,
        string_agg(
            distinct concat(results.operation, ' ', results.block_size_bytes),
            ', '
            order by concat(results.operation, ' ', results.block_size_bytes)
        ) as block_directions
    from scoped as results
    inner join several on results.repetition_id = several.repetition_id
    where
        results.operation in ('read', 'write')
        and results.is_whole_load
        and not results.is_partial
        and results.block_size_bytes is not null
    group by results.repetition_id

),

joined as (

    select
        results.*,
        directions.block_directions,
        coalesce(directions.block_size_min_bytes, results.block_size_min_bytes, results.block_size_bytes)
            as smallest_block_bytes,
        coalesce(directions.block_size_max_bytes, results.block_size_max_bytes, results.block_size_bytes)
            as largest_block_bytes,
        nullif(options.load_options, '{}') as load_options
    from scoped as results
    left join directions on results.repetition_id = directions.repetition_id
    left join options on results.job_options = options.job_options

),

described as materialized (

    select
        -- few columns, because a million results have a hundred more
        result_id,
        submission_id,
        tool,
        load_profile,
        is_whole_load,
        case
            when
                operation in ('read', 'write', 'mixed')
                and (load_profile is not null or (read_ratio is not null and largest_block_bytes is not null))
                then {
                    'access_pattern': access_pattern,
                    'random_ratio': case when access_pattern = 'mixed' then round(random_ratio, 4) end,
                    'read_ratio': round(read_ratio, 4),
                    'block_size_min_bytes': smallest_block_bytes,
                    'block_size_max_bytes': largest_block_bytes,
                    'block_directions': block_directions,
                    'load_options': load_options,
                    'stream_count': case
                        when
                            access_pattern = 'sequential'
                            and process_count > 1
                            and coalesce(load_basis, 'outstanding') in ('outstanding', 'outstanding_per_drive')
                            then process_count
                    end,
                    'stated_name': case
                        when access_pattern is null or read_ratio is null or largest_block_bytes is null
                            then trim(regexp_replace(lower(load_profile), '[^a-z0-9]+', ' ', 'g'))
                    end
                }
        end as workload
    from joined

),

-- loads are few, and results many
loads as (

    select distinct workload from described
    where workload is not null

),

workloads as (

    select
        workload,
        left(md5(cast(workload as varchar)), 16) as workload_id
    from loads

),

final as (

    select
        described.*,
        workloads.workload_id
    from described
    left join workloads on described.workload = workloads.workload

)

select * from final
