-- How far the share of reads lies from the one that the workload asks for, per load profile and configuration.
select
    checks.submission_id, checks.configuration_id, checks.section, checks.load_profile, checks.read_ratio,
    count(*) as point_count, count(*) filter (where not checks.is_as_configured) as different_count,
    min(checks.difference_ratio) as lowest_ratio, max(checks.difference_ratio) as highest_ratio, configurations.title
from mix_checks as checks
inner join configurations using (submission_id, configuration_id)
group by all
order by checks.load_profile, checks.submission_id, checks.configuration_id, checks.section
