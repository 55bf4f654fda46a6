with known_load_profiles as (

    select * from {{ ref('known_load_profiles') }}

),

results as (

    select * from {{ ref('results') }}

),

measured as (

    select
        workload_id,
        min(load_profile) as load_profile,
        min(access_pattern) as access_pattern,
        min(read_ratio) as read_ratio,
        min(block_size_bytes) as block_size_bytes,
        count(*) as result_count,
        count(distinct submission_id || '/' || configuration_id) as configuration_count,
        count(distinct submission_id) as submission_count
    from results
    where workload_id is not null
    group by workload_id

),

final as (

    select
        coalesce(known_load_profiles.workload_id, measured.workload_id) as workload_id,
        coalesce(known_load_profiles.load_profile, measured.load_profile) as load_profile,
        coalesce(known_load_profiles.access_pattern, measured.access_pattern) as access_pattern,
        coalesce(known_load_profiles.read_ratio, measured.read_ratio) as read_ratio,
        coalesce(known_load_profiles.block_size_bytes, measured.block_size_bytes) as block_size_bytes,
        known_load_profiles.source,
        known_load_profiles.workload_id is not null as is_listed,
        coalesce(measured.result_count, 0) as result_count,
        coalesce(measured.configuration_count, 0) as configuration_count,
        coalesce(measured.submission_count, 0) as submission_count
    from known_load_profiles
    full join measured on known_load_profiles.workload_id = measured.workload_id

)

select * from final
