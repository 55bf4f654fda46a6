-- Runs are repetitions only where everything that the tool states of them is equal, but names, paths and logs.
select
    submission_id,
    configuration_id,
    section,
    workload_id,
    load_basis,
    queue_depth,
    count(distinct job_key(job_options)) as job_count
from {{ ref('results') }}
where workload_id is not null and is_whole_load and is_comparable
group by submission_id, configuration_id, section, workload_id, load_basis, queue_depth
having count(distinct job_key(job_options)) > 1
