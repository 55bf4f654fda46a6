with source as (

    select * from {{ source('raw', 'files') }}

),

final as (

    select * from source

)

select * from final
