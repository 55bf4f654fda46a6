with source as (

    select * from {{ source('raw', 'results') }}

),

final as (

    select * from source

)

select * from final
