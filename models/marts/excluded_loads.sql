with operands as (

    select * from {{ ref('int_operands') }}

),

-- what was run or printed on both sides, and has no value that may be compared
without_value as (

    select
        concat(a.submission_id, '/', a.configuration_id) as a_name,
        concat(b.submission_id, '/', b.configuration_id) as b_name,
        left(md5(concat(least(a_name, b_name), ' ', greatest(a_name, b_name))), 16) as pair_id,
        a.workload_id,
        a.metric,
        a.basis,
        if(a.basis = 'peak', null, a.queue_depth) as queue_depth,
        paired.reason
    from {{ ref('int_operands_paired') }} as paired
    inner join operands as a on paired.a_operand_id = a.operand_id
    inner join operands as b on paired.b_operand_id = b.operand_id
    where paired.reason is not null and paired.reason <> 'not_representative'

),

excluded as (

    select
        pair_id,
        workload_id,
        metric,
        basis,
        queue_depth,
        reason,
        reason_columns
    from {{ ref('int_comparisons') }}
    where reason is not null
    union all by name
    select * exclude (a_name, b_name)
    from without_value

),

-- a load of which another way is compared is a choice that was not taken
compared as (

    select distinct
        pair_id,
        workload_id,
        metric,
        basis
    from {{ ref('int_comparisons') }}
    where reason is null

),

final as (

    select
        excluded.pair_id,
        excluded.reason,
        coalesce(excluded.reason_columns, '') as reason_columns,
        count(distinct excluded.workload_id) as workload_count,
        count(*) as load_count,
        min(excluded.workload_id) as example_workload_id,
        arg_min(excluded.queue_depth, row(excluded.workload_id, excluded.queue_depth)) as example_queue_depth
    from excluded
    anti join compared
        on
            excluded.pair_id = compared.pair_id
            and excluded.workload_id = compared.workload_id
            and excluded.metric = compared.metric
            and excluded.basis = compared.basis
    group by excluded.pair_id, excluded.reason, excluded.reason_columns

)

select * from final
