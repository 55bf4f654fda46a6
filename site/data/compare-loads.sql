-- What the loads of quotients are called, and by whom: elsewhere a load goes by its definition.
select distinct workload_id, workloads.load_profile, definition, naming_submissions
from quotients
inner join workloads using (workload_id)
order by workload_id
