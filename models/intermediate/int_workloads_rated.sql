with sweeps as (

    select * from {{ ref('sweeps') }}

),

peaks as (

    select * from {{ ref('peaks') }}

),

load_profiles as (

    select * from {{ ref('load_profiles') }}

),

rated as (

    select
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        load_basis,
        basis,
        queue_depth,
        'operations_per_second' as metric,
        operations_per_second as rate_value,
        value_kind
    from sweeps
    where operations_per_second > 0
    union all
    select
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        'outstanding' as load_basis,
        'peak' as basis,
        cast(null as bigint) as queue_depth,
        metric,
        peak_value as rate_value,
        value_kind
    from peaks
    where peak_origin = 'stated' or depth_count >= 3

),

profiled as (

    select
        rated.* exclude (metric, rate_value),
        load_profiles.load_profile,
        load_profiles.access_pattern,
        load_profiles.read_ratio,
        load_profiles.block_size_bytes,
        case rated.metric
            when 'operations_per_second' then rated.rate_value else rated.rate_value / load_profiles.block_size_bytes
        end as operations_per_second,
        row_number() over (
            partition by
                rated.submission_id,
                rated.configuration_id,
                rated.section,
                rated.load_profile_id,
                rated.load_basis,
                rated.basis
            order by rated.metric
        ) as rank_index
    from rated
    inner join load_profiles on rated.load_profile_id = load_profiles.load_profile_id

),

final as (

    select * exclude (rank_index)
    from profiled
    where rank_index = 1 and operations_per_second > 0

)

select * from final
