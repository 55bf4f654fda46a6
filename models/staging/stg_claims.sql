with source as (

    select * from {{ source('raw', 'claims') }}

),

final as (

    select * from source

)

select * from final
