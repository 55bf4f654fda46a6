with operands as (

    select
        *,
        -- a window over one number is found in a third of the time that three texts take
        hash(row(workload_id, metric, basis)) as load_id,
        -- a pair is counted once, at the one of its two operands that has more against it
        case
            when not is_complete then 0
            when own_reason is not null or is_unit_unknown then 1
            when not is_representative then 2
            else 3
        end as standing
    from {{ ref('int_operands') }}

),

agreeing as (

    select * from {{ ref('int_workloads_agreeing') }}

),

counted as (

    select
        *,
        count(*) over following - count(*) over following_within as behind_count
    from operands
    window
        following as (
            partition by load_id
            order by standing, operand_id
            rows between 1 following and unbounded following
        ),
        following_within as (
            partition by load_id, submission_id
            order by standing, operand_id
            rows between 1 following and unbounded following
        )

),

sizes as (

    select
        workload_id,
        metric,
        basis,
        submission_id,
        count(*) as operand_count
    from operands
    group by workload_id, metric, basis, submission_id

),

-- operands of workloads that agree in what is known of both; of two incomplete workloads the first one counts
elsewhere as (

    select
        operands.operand_id,
        sum(sizes.operand_count) as other_count
    from operands
    inner join agreeing on operands.workload_id = agreeing.a_workload_id
    inner join sizes
        on
            agreeing.b_workload_id = sizes.workload_id
            and operands.metric = sizes.metric
            and operands.basis = sizes.basis
            and operands.submission_id <> sizes.submission_id
    where not operands.is_complete and (agreeing.b_is_complete or operands.workload_id < agreeing.b_workload_id)
    group by operands.operand_id

),

representatives as (

    select * from operands
    where is_representative

),

behind as (

    select
        counted.operand_id,
        case
            when not counted.is_complete then 'workload_incomplete'
            when counted.own_reason is not null then counted.own_reason
            when counted.is_unit_unknown then 'unit_unknown'
            else 'not_representative'
        end as reason,
        case
            when counted.standing = 2
                then concat(representatives.submission_id, '/', representatives.configuration_id)
        end as used_instead,
        cast(
            counted.behind_count
            + coalesce(elsewhere.other_count, 0)
            -- with the one that stands for its own drive it is paired by name
            - case
                when counted.standing = 2 and representatives.submission_id <> counted.submission_id then 1 else 0
            end
            as bigint
        ) as pair_count
    from counted
    left join elsewhere on counted.operand_id = elsewhere.operand_id
    left join representatives
        on
            counted.workload_id = representatives.workload_id
            and counted.metric = representatives.metric
            and counted.basis = representatives.basis
            and counted.compared_id = representatives.compared_id
            and counted.storage_topology is not distinct from representatives.storage_topology
            and counted.drive_count is not distinct from representatives.drive_count
    where counted.standing < 3

),

final as (

    select * from behind
    where pair_count > 0

)

select * from final
