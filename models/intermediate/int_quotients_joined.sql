with at_loads as (

    select * from {{ ref('int_quotients_at_loads') }}

),

low_depths as (

    select * from {{ ref('int_quotients_of_low_depths') }}

),

final as (

    select * from at_loads
    union all by name
    select * from low_depths

)

select * from final
