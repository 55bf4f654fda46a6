-- Runs are repetitions only where everything that the tool states of them is equal, but names, paths and logs.
-- Rounds of a series are exempt: a sequential round begins where the one before it ended.
select
    submission_id,
    configuration_id,
    section,
    workload_id,
    load_basis,
    queue_depth,
    count(distinct job_key(job_options)) as job_count
from {{ ref('results') }}
where workload_id is not null and is_whole_load and is_comparable and round_index is null
group by submission_id, configuration_id, section, workload_id, load_basis, queue_depth
having count(distinct job_key(job_options)) > 1
