with configurations as (

    select * from {{ ref('int_configurations_described') }}

),

results as (

    select * from {{ ref('results') }}

),

measured as (

    select
        submission_id,
        configuration_id,
        list(distinct load_profile order by load_profile) filter (where load_profile is not null) as load_profiles,
        count(distinct workload_id) as load_profile_count,
        count(*) as result_count,
        count(distinct coalesce(origin_sha256, source_sha256)) as source_count
    from results
    where configuration_id is not null
    group by submission_id, configuration_id

),

final as (

    select
        configurations.* exclude (source_type, submitted_by),
        coalesce(measured.load_profiles, []) as load_profiles,
        coalesce(measured.load_profile_count, 0) as load_profile_count,
        coalesce(measured.result_count, 0) as result_count,
        coalesce(measured.source_count, 0) as source_count
    from configurations
    left join measured
        on
            configurations.submission_id = measured.submission_id
            and configurations.configuration_id = measured.configuration_id

)

select * from final
