with figures as (

    select * from {{ ref('stg_figures') }}

),

submissions as (

    select * from {{ ref('stg_submissions') }}

),

final as (

    select figures.*
    from figures
    inner join submissions on figures.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed')

)

select * from final
