-- What the loads of quotients are called.
select distinct workload_id, load_profile
from quotients
order by workload_id
