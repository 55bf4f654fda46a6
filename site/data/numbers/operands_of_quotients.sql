-- what a side of a quotient is: a point at its load, or the peak of its metric
select point_id as operand_id, submission_id, configuration_id, section, workload_id, basis, null as metric, 'p' as kind
from points
union all
select peak_id, submission_id, configuration_id, section, workload_id, 'peak', metric, 'k'
from peaks
where load_basis = 'outstanding'
