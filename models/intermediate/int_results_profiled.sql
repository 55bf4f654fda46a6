with results as (

    select * from {{ ref('int_results_loaded') }}

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

final as (

    select
        results.* exclude (workload, load_profile),
        results.load_profile as stated_load_profile,
        workloads.workload_id,
        workloads.load_profile,
        case
            when workloads.workload_id is null then null
            when starts_with(lower(workloads.load_profile), lower(results.load_profile)) then 'stated'
            when workloads.is_listed then 'matched'
            else 'described'
        end as load_profile_origin
    from results
    left join workloads on results.workload = workloads.workload

)

select * from final
