with operands as (

    select
        *,
        concat(submission_id, '/', configuration_id) as side_name
    from {{ ref('int_operands') }}

),

considered as (

    select
        pair_id,
        workload_id,
        metric,
        basis,
        queue_depth,
        reason,
        reason_columns
    from {{ ref('int_comparisons') }}
    union all
    -- what was run or printed on both sides, and has no value that may be compared
    select
        left(md5(concat(least(a.side_name, b.side_name), ' ', greatest(a.side_name, b.side_name))), 16) as pair_id,
        a.workload_id,
        a.metric,
        a.basis,
        if(a.basis = 'peak', null, a.queue_depth) as queue_depth,
        paired.reason,
        null as reason_columns
    from {{ ref('int_operands_paired') }} as paired
    inner join operands as a on paired.a_operand_id = a.operand_id
    inner join operands as b on paired.b_operand_id = b.operand_id
    where paired.reason <> 'not_representative'

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
