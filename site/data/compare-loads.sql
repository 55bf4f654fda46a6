-- Names of the workloads in comparisons, and the submissions that use each name.
select distinct workload_id, workloads.load_profile, definition, naming_submissions
from comparisons
inner join workloads using (workload_id)
order by workload_id
