with source as (

    select * from {{ source('raw', 'figures') }}

),

final as (

    select * from source

)

select * from final
