with points as (

    select * from {{ ref('int_points_admitted') }}

),

operations as (

    select
        *,
        'operations_per_second' as metric,
        operations_per_second as rate_value
    from points
    where operations_origin = 'measured' and contains(operations_kind, 'bound') is not true

),

throughput as (

    select
        *,
        'throughput_bytes_per_second' as metric,
        throughput_bytes_per_second as rate_value
    from points
    where throughput_origin = 'measured' and contains(throughput_kind, 'bound') is not true

),

final as (

    select * from operations
    union all
    select * from throughput

)

select * from final
