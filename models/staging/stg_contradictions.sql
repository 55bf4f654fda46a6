with source as (

    select * from {{ source('raw', 'contradictions') }}

),

final as (

    select * from source

)

select * from final
