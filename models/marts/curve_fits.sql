with saturations as (

    select * from {{ ref('int_saturations_fitted') }}

),

laws as (

    select * from {{ ref('int_laws_fitted') }}

),

final as (

    select
        *,
        'saturation' as model
    from saturations
    union all by name
    select
        *,
        'scalability law' as model
    from laws

)

select * from final
