with source as (

    select * from {{ source('raw', 'warnings') }}

),

final as (

    select * from source

)

select * from final
