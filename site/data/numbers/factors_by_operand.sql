-- the scaling factors that use a point or peak: the first four, and how many there are
select
    operand_id,
    list({id: scaling_id, factor: factor_ratio, drives: drive_count, metric: metric} order by drive_count, scaling_id)
        [:4] as factors,
    count(*) as factor_count
from factors_of_operands
group by operand_id
