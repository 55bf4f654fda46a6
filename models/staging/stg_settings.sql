with source as (

    select * from {{ source('raw', 'settings') }}

),

final as (

    select * from source

)

select * from final
