with sweeps as (

    select * from {{ ref('sweeps') }}

),

peaks as (

    select * from {{ ref('int_peaks_converted') }}

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
        operations_per_second,
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
        peak_value as operations_per_second,
        value_kind
    from peaks
    where metric = 'operations_per_second' and peak_value > 0 and (peak_origin = 'stated' or depth_count >= 3)

),

final as (

    select
        rated.*,
        load_profiles.load_profile,
        load_profiles.access_pattern,
        load_profiles.read_ratio,
        load_profiles.block_size_bytes
    from rated
    inner join load_profiles on rated.load_profile_id = load_profiles.load_profile_id

)

select * from final
