with points as (

    select * from {{ ref('points') }}

),

peaks as (

    select * from {{ ref('int_peaks_converted') }}

),

workloads as (

    select * from {{ ref('workloads') }}

),

rated as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        basis,
        queue_depth,
        operations_per_second,
        value_kind
    from points
    where operations_per_second > 0
    union all
    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        'outstanding' as load_basis,
        'peak' as basis,
        cast(null as bigint) as queue_depth,
        peak_value as operations_per_second,
        value_kind
    from peaks
    where metric = 'operations_per_second' and peak_value > 0 and (peak_origin = 'stated' or depth_count >= 3)

),

final as (

    select
        rated.*,
        workloads.load_profile,
        workloads.access_pattern,
        workloads.read_ratio,
        workloads.block_size_bytes
    from rated
    inner join workloads on rated.workload_id = workloads.workload_id

)

select * from final
