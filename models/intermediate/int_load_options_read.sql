{{ config(materialized='table') }}

with results as (

    select * from {{ source('raw', 'results') }}

),

stated as (

    select distinct job_options
    from results
    where job_options is not null

),

final as (

    select
        job_options,
        load_options(job_options) as load_options
    from stated

)

select * from final
