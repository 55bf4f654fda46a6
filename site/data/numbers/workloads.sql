select
    workload_id as id, load_profile, access_pattern, random_ratio, read_ratio, block_size_bytes,
    if(is_listed and is_complete and definition <> load_profile, definition, null) as definition, naming_submissions
from workloads
order by id
