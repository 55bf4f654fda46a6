with results as (

    select * from {{ ref('int_results_scoped') }}

),

known_load_profiles as (

    select * from {{ ref('known_load_profiles') }}

),

worded as (

    select
        *,
        case
            when block_size_bytes % 1048576 = 0 then concat(block_size_bytes // 1048576, ' MiB')
            when block_size_bytes % 1024 = 0 then concat(block_size_bytes // 1024, ' KiB')
            else concat(block_size_bytes, ' B')
        end as block_text,
        regexp_replace(format('{:.2f}', 100 * read_ratio), '\.?0+$', '') as share_text,
        trim(regexp_replace(lower(load_profile), '[^a-z0-9]+', '-', 'g'), '-') as stated_slug
    from results

),

described as (

    select
        *,
        access_pattern in ('random', 'sequential')
        and read_ratio is not null
        and block_size_bytes is not null as is_describable,
        case read_ratio
            when 1 then concat_ws(' ', block_text, access_pattern, 'read')
            when 0 then concat_ws(' ', block_text, access_pattern, 'write')
            else concat(block_text, ' ', access_pattern, ', ', share_text, ' % read')
        end as described_name,
        concat_ws(
            '-',
            coalesce(access_pattern, 'any'),
            coalesce(replace(share_text, '.', '_'), 'any'),
            coalesce(cast(block_size_bytes as varchar), 'any')
        ) as described_slug
    from worded

),

matched as (

    select
        described.*,
        known_load_profiles.workload_id as known_id,
        known_load_profiles.load_profile as known_name
    from described
    left join known_load_profiles
        on
            described.access_pattern is not distinct from known_load_profiles.access_pattern
            and described.block_size_bytes is not distinct from known_load_profiles.block_size_bytes
            and round(described.read_ratio, 4) is not distinct from known_load_profiles.read_ratio
            and (described.is_describable or described.load_profile = known_load_profiles.load_profile)

),

final as (

    select
        * exclude (
            load_profile, known_id, known_name, block_text, share_text, stated_slug, described_name, described_slug
        ),
        load_profile as stated_load_profile,
        case
            when operation not in ('read', 'write', 'mixed') then null
            when known_id is not null then known_id
            when load_profile is not null then concat(stated_slug, '-', described_slug)
            when is_describable then described_slug
        end as workload_id,
        case
            when operation not in ('read', 'write', 'mixed') then null
            when known_id is not null then known_name
            when load_profile is not null then load_profile
            when is_describable then described_name
        end as load_profile,
        case
            when operation not in ('read', 'write', 'mixed') then null
            when known_id is not null and load_profile is null then 'matched'
            when load_profile is not null then 'stated'
            when is_describable then 'described'
        end as load_profile_origin
    from matched

)

select * from final
