with repetitions as (

    select * from {{ ref('repetitions') }}

),

final as (

    select
        * replace (
            case
                when load_basis is null or load_basis = 'outstanding_per_drive' then 'outstanding' else load_basis
            end as load_basis
        )
    from repetitions
    where
        is_comparable
        and statistic in ('point', 'plateau', 'mean', 'median')
        and workload_id is not null
        and queue_depth is not null

)

select * from final
