{{ config(materialized='table') }}

with results as (

    select * from {{ source('raw', 'results') }}

),

profiled as (

    select * from {{ ref('int_results_profiled') }}

),

figures as (

    select * from {{ source('raw', 'figures') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

joined as (

    select
        results.* exclude (load_profile),
        profiled.is_whole_load,
        profiled.stated_load_profile,
        profiled.workload_id,
        profiled.load_profile,
        profiled.load_profile_origin,
        figures.figure_id,
        submissions.status as submission_status,
        results.queue_depth / configurations.drive_count as queue_depth_per_drive,
        case
            when results.scope = 'publication' then coalesce(figures.section, 'publication')
            when results.process_count > 1 then concat('tool output, ', results.process_count, ' processes')
            else 'tool output'
        end as section
    from results
    inner join profiled on results.result_id = profiled.result_id
    inner join submissions on results.submission_id = submissions.submission_id
    left join figures on results.result_id = figures.result_id
    left join configurations
        on
            results.submission_id = configurations.submission_id
            and results.configuration_id = configurations.configuration_id
    where submissions.status in ('active', 'disputed')

),

admitted as (

    select
        *,
        outcome = 'ok'
        and is_whole_load
        and not is_partial
        and is_canonical
        and configuration_id is not null
        -- a depth that was sought during the run is neither the one configured nor the one it ended at
        and is_queue_depth_sought is not true as is_admitted
    from joined

),

final as (

    select
        * exclude (is_admitted),
        is_admitted and value_kind in ('measured', 'approximate') as is_comparable,
        is_admitted and value_kind in ('lower_bound', 'upper_bound') as is_bound
    from admitted

)

select * from final
