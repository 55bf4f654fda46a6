with claims as (

    select * from {{ ref('stg_claims') }}

),

submissions as (

    select * from {{ ref('stg_submissions') }}

),

final as (

    select claims.*
    from claims
    inner join submissions on claims.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed')

)

select * from final
