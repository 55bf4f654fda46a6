{{ config(materialized='table') }}

with results as (

    select * from {{ ref('int_results_loaded') }}

),

known_load_profiles as (

    select * from {{ ref('known_load_profiles') }}

),

listed as (

    select
        {
            'access_pattern': access_pattern,
            'random_ratio': cast(null as double),
            'read_ratio': read_ratio,
            'block_size_min_bytes': block_size_bytes,
            'block_size_max_bytes': block_size_bytes,
            'block_directions': cast(null as varchar),
            'load_options': cast(null as varchar),
            'stream_count': cast(null as bigint),
            'stated_name': case
                when access_pattern is null or read_ratio is null or block_size_bytes is null
                    then trim(regexp_replace(lower(load_profile), '[^a-z0-9]+', ' ', 'g'))
            end
        } as workload,
        load_profile as listed_name,
        source
    from known_load_profiles

),

combined as (

    select
        workload,
        min(load_profile) as stated_name,
        list(distinct load_profile order by load_profile) filter (where load_profile <> '') as stated_names
    from results
    where workload is not null
    group by workload

),

joined as (

    select
        coalesce(listed.workload, combined.workload) as workload,
        listed.listed_name,
        listed.source,
        combined.stated_name as first_name,
        coalesce(combined.stated_names, []) as stated_names
    from combined
    full join listed on combined.workload = listed.workload

),

unnested as (

    select
        workload,
        left(md5(cast(workload as varchar)), 16) as workload_id,
        listed_name,
        source,
        first_name,
        stated_names,
        workload['access_pattern'] as access_pattern,
        workload['random_ratio'] as random_ratio,
        workload['read_ratio'] as read_ratio,
        workload['block_size_min_bytes'] as block_size_min_bytes,
        workload['block_size_max_bytes'] as block_size_max_bytes,
        workload['block_directions'] as block_directions,
        workload['load_options'] as load_options,
        workload['stream_count'] as stream_count
    from joined

),

worded as (

    select
        *,
        {% for end in ['min', 'max'] %}
            case
                when block_size_{{ end }}_bytes % 1048576 = 0 then concat(block_size_{{ end }}_bytes // 1048576, ' MiB')
                when block_size_{{ end }}_bytes % 1024 = 0 then concat(block_size_{{ end }}_bytes // 1024, ' KiB')
                else block_size_{{ end }}_bytes || ' B'
            end as block_{{ end }}_text,
        {% endfor %}
        regexp_replace(format('{:.2f}', 100 * read_ratio), '\.?0+$', '') as share_text,
        case
            when access_pattern = 'mixed' and random_ratio is not null
                then concat(regexp_replace(format('{:.2f}', 100 * random_ratio), '\.?0+$', ''), ' % random')
            else access_pattern
        end as pattern_text,
        nullif(
            concat_ws(
                ', ',
                case when access_pattern is null then 'access pattern' end,
                case when read_ratio is null then 'share of reads' end,
                case when block_size_min_bytes is null or block_size_max_bytes is null then 'block size' end
            ),
            ''
        ) as unknown_members
    from unnested

),

described as (

    select
        *,
        concat_ws(
            ', ',
            concat_ws(
                ' ',
                block_min_text,
                case when block_max_text <> block_min_text then 'to ' || block_max_text end,
                pattern_text,
                case read_ratio when 1 then 'read' when 0 then 'write' end
            ),
            case when read_ratio not in (0, 1) then share_text || ' % read' end,
            block_directions,
            -- {"random_distribution":"zipf:1.2"} reads random_distribution=zipf:1.2
            replace(regexp_replace(replace(load_options, '":', '='), '[{}"\[\]]', '', 'g'), ',', ', '),
            stream_count || ' streams'
        ) as known_text
    from worded

),

final as (

    select
        workload,
        workload_id,
        case
            when listed_name is not null then listed_name
            when unknown_members is null then known_text
            when first_name is not null and known_text = '' then concat(first_name, ' (', unknown_members, ' unknown)')
            when first_name is not null then concat(first_name, ' (', known_text, ')')
            else concat(known_text, ', ', unknown_members, ' unknown')
        end as load_profile,
        nullif(known_text, '') as definition,
        listed_name is not null as is_listed,
        source,
        stated_names,
        access_pattern,
        random_ratio,
        read_ratio,
        case when block_size_min_bytes = block_size_max_bytes then block_size_min_bytes end as block_size_bytes,
        block_size_min_bytes,
        block_size_max_bytes,
        coalesce(block_directions, load_options ->> 'bssplit') as block_split,
        load_options ->> 'random_distribution' as address_distribution,
        nullif(
            concat_ws(
                ', ',
                'fsync ' || (load_options ->> 'fsync'),
                'fdatasync ' || (load_options ->> 'fdatasync'),
                load_options ->> 'sync'
            ),
            ''
        ) as sync_interval,
        nullif(
            concat_ws(
                ', ',
                (load_options ->> 'rate') || ' bytes per second',
                (load_options ->> 'rate_iops') || ' operations per second'
            ),
            ''
        ) as rate_limit,
        coalesce((load_options ->> 'thinktime') || ' µs', 'delay ' || (load_options ->> 'delay')) as think_time,
        load_options,
        stream_count,
        unknown_members is null as is_complete,
        unknown_members
    from described

)

select * from final
