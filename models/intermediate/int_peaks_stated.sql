with repetitions as (

    select * from {{ ref('repetitions') }}

),

stated as (

    select
        *,
        unnest(['operations_per_second', 'throughput_bytes_per_second']) as metric,
        unnest([
            case when operations_origin = 'measured' then operations_per_second end,
            case when throughput_origin = 'measured' then throughput_bytes_per_second end
        ]) as peak_value
    from repetitions
    where
        is_comparable
        and statistic = 'peak'
        and workload_id is not null
        and coalesce(load_basis, 'outstanding') in ('outstanding', 'outstanding_per_drive')

),

ranked as (

    select
        *,
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id, metric
            order by peak_value desc, repetition_id asc
        ) as rank_index
    from stated
    where peak_value is not null

),

final as (

    select * exclude (rank_index)
    from ranked
    where rank_index = 1

)

select * from final
