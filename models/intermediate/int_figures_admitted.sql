with figures as (

    select * from {{ source('raw', 'figures') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

final as (

    select figures.*
    from figures
    inner join submissions on figures.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed')

)

select * from final
