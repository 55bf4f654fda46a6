with source as (

    select * from {{ source('raw', 'sources') }}

),

final as (

    select * from source

)

select * from final
