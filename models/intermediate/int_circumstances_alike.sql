{{ config(materialized='table') }}

with paired as (

    select * from {{ ref('int_conditions_paired') }}

),

final as (

    select
        a_circumstances_id,
        b_circumstances_id,
        hash(list_sort(list(hash(row(a_condition_id, b_condition_id))))) as likeness_id
    from paired
    group by a_circumstances_id, b_circumstances_id

)

select * from final
