with source as (

    select * from {{ source('raw', 'replies') }}

),

final as (

    select * from source

)

select * from final
