with source as (

    select * from {{ source('raw', 'configurations') }}

),

final as (

    select * from source

)

select * from final
