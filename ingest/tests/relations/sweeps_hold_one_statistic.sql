-- No row of a sweep is a median over means, medians and single readings together: of two statistics that a publication
-- prints for one load, one is marked as not canonical.
select
    submission_id,
    configuration_id,
    section,
    workload_id,
    load_basis,
    queue_depth,
    string_agg(distinct statistic, ', ') as statistic_names
from {{ ref('repetitions') }}
where is_comparable and statistic in ('point', 'plateau', 'mean', 'median') and queue_depth is not null
group by submission_id, configuration_id, section, workload_id, load_basis, queue_depth
having count(distinct replace(statistic, 'plateau', 'point')) > 1
