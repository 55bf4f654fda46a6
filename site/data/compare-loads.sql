-- What the workloads of comparisons are called, and by whom: elsewhere a workload goes by its definition.
select distinct workload_id, workloads.load_profile, definition, naming_submissions
from comparisons
inner join workloads using (workload_id)
order by workload_id
