with source as (

    select * from {{ source('raw', 'findings') }}

),

final as (

    select * from source

)

select * from final
