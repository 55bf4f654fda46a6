with source as (

    select * from {{ source('raw', 'drives') }}

),

final as (

    select * from source

)

select * from final
