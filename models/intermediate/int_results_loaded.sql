{{ config(materialized='table') }}

with results as (

    select * from {{ ref('int_results_scoped') }}

),

options as (

    select * from {{ ref('int_load_options_read') }}

),

several as not materialized (

    select
        repetition_id,
        min(coalesce(block_size_min_bytes, block_size_bytes)) as block_size_min_bytes,
        max(coalesce(block_size_max_bytes, block_size_bytes)) as block_size_max_bytes
    from results
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
    from results
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
    from results
    left join directions on results.repetition_id = directions.repetition_id
    left join options on results.job_options = options.job_options

),

final as (

    select
        -- few columns: three models ask for them, and a million results have a hundred more
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

)

select * from final
