with sweeps as (

    select * from {{ ref('sweeps') }}

),

operations as (

    select
        *,
        'operations_per_second' as metric,
        operations_per_second as rate_value
    from sweeps
    where operations_origin = 'measured'

),

throughput as (

    select
        *,
        'throughput_bytes_per_second' as metric,
        throughput_bytes_per_second as rate_value
    from sweeps
    where throughput_origin = 'measured'

),

final as (

    select * from operations
    union all
    select * from throughput

)

select * from final
