with considered as (

    select * from {{ ref('int_comparisons') }}
    union all by name
    -- what was run or printed on both sides, and has no value that may be compared
    select
        *,
        own_reason as reason
    from {{ ref('int_pairs_in_context') }}
    where own_reason is not null

),

-- a load of which another way is compared is a choice that was not taken
excluded as (

    select *
    from considered
    qualify not bool_or(reason is null) over (partition by pair_id, workload_id, metric, basis)

),

final as (

    select
        pair_id,
        reason,
        coalesce(reason_columns, []) as reason_columns,
        count(distinct workload_id) as workload_count,
        count(*) as load_count,
        min(workload_id) as example_workload_id,
        arg_min(queue_depth, row(workload_id, queue_depth)) as example_queue_depth
    from excluded
    group by pair_id, reason, reason_columns

)

select * from final
