-- Difference between the measured and the configured share of reads, by load profile and configuration.
select
    checks.submission_id, checks.configuration_id, checks.section, repetitions.load_profile, repetitions.read_ratio,
    count(*) as point_count, count(*) filter (where checks.effect = 'X') as different_count,
    min(repetitions.measured_read_ratio - repetitions.read_ratio) as lowest_ratio,
    max(repetitions.measured_read_ratio - repetitions.read_ratio) as highest_ratio, configurations.title
from validity_checks as checks
inner join repetitions using (repetition_id)
inner join configurations
    on checks.submission_id = configurations.submission_id and checks.configuration_id = configurations.configuration_id
where checks.check_name = 'mix'
group by all
order by repetitions.load_profile, checks.submission_id, checks.configuration_id, checks.section
