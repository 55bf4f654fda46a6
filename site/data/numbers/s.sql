with operands as (
    select
        scaling_id,
        max(operand_id) filter (where side = 'array') as array_id,
        max(operand_id) filter (where side = 'base') as base_id
    from factors_of_operands
    group by scaling_id
)

select
    scaling.scaling_id as id,
    scaling.* exclude (scaling_id, device, device_id),
    operands.array_id,
    operands.base_id
from scaling
left join operands on scaling.scaling_id = operands.scaling_id
order by scaling.scaling_id
