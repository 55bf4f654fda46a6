-- How well rate times latency explains the queue depth that was asked for, counted by load profile and verdict.
select
    submission_id, configuration_id, section, load_profile, verdict, count(*) as point_count,
    min(residual_ratio) as lowest_ratio, max(residual_ratio) as highest_ratio,
    string_agg(distinct nullif(reasons, ''), '; ' order by nullif(reasons, '')) as reasons
from littles_law
group by all
order by submission_id, configuration_id, section, load_profile, verdict
