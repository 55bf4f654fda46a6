with operands as (
    select
        scaling_id,
        max(operand_id) filter (where side = 'array') as array_id,
        max(operand_id) filter (where side = 'base') as base_id
    from factors_of_operands
    group by scaling_id
)

select
    scaling_id as id,
    -- under the keys that the JSON of numbers has
    scaling.* exclude (device, device_id) rename (
        factor_ratio_low as factor_low_ratio, factor_ratio_high as factor_high_ratio
    ),
    array_id, base_id
from scaling
left join operands using (scaling_id)
order by scaling_id
