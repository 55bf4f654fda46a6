with source as (

    select * from {{ source('raw', 'submissions') }}

),

final as (

    select * from source

)

select * from final
