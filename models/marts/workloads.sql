with workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

results as (

    select * from {{ ref('results') }}

),

measured as (

    select
        workload_id,
        count(*) as result_count,
        count(distinct submission_id || '/' || configuration_id) as configuration_count,
        count(distinct submission_id) as submission_count
    from results
    where workload_id is not null
    group by workload_id

),

final as (

    select
        workloads.* exclude (workload),
        coalesce(measured.result_count, 0) as result_count,
        coalesce(measured.configuration_count, 0) as configuration_count,
        coalesce(measured.submission_count, 0) as submission_count
    from workloads
    left join measured on workloads.workload_id = measured.workload_id
    -- a load that only a withdrawn submission measured is no load of these tables
    where workloads.is_listed or measured.workload_id is not null

)

select * from final
