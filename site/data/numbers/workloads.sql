select workload_id as id, load_profile, access_pattern, random_ratio, read_ratio, block_size_bytes
from workloads
order by id
