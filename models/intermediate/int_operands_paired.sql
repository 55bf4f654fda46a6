{{ config(materialized='table') }}

with operands as (

    select * from {{ ref('int_operands_represented') }}

),

representatives as (

    select * from operands
    where is_representative

),

within_submissions as (

    select
        a.operand_id as a_operand_id,
        a.circumstances_id as a_circumstances_id,
        b.operand_id as b_operand_id,
        b.circumstances_id as b_circumstances_id
    from operands as a
    inner join operands as b
        on
            a.workload_id = b.workload_id
            and a.metric = b.metric
            and a.basis = b.basis
            and a.submission_id = b.submission_id
            and a.section = b.section
    where a.configuration_id <> b.configuration_id

),

across_devices as (

    select
        a.operand_id as a_operand_id,
        a.circumstances_id as a_circumstances_id,
        b.operand_id as b_operand_id,
        b.circumstances_id as b_circumstances_id
    from representatives as a
    inner join representatives as b
        on
            a.workload_id = b.workload_id
            and a.metric = b.metric
            and a.basis = b.basis
    where a.submission_id <> b.submission_id and a.compared_id <> b.compared_id

),

of_one_device as (

    select
        operands.operand_id,
        operands.circumstances_id,
        operands.is_representative,
        representatives.operand_id as other_operand_id,
        representatives.circumstances_id as other_circumstances_id
    from operands
    inner join representatives
        on
            operands.workload_id = representatives.workload_id
            and operands.metric = representatives.metric
            and operands.basis = representatives.basis
            and operands.compared_id = representatives.compared_id
    where operands.submission_id <> representatives.submission_id

),

final as (

    select * from within_submissions
    union all
    select * from across_devices
    union all
    select
        operand_id as a_operand_id,
        circumstances_id as a_circumstances_id,
        other_operand_id as b_operand_id,
        other_circumstances_id as b_circumstances_id
    from of_one_device
    union all
    select
        other_operand_id as a_operand_id,
        other_circumstances_id as a_circumstances_id,
        operand_id as b_operand_id,
        circumstances_id as b_circumstances_id
    from of_one_device
    -- two representatives have met already, in both orders
    where not is_representative

)

select * from final
