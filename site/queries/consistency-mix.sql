-- Consistency of the mix: difference between the measured and the configured share of reads, by load profile and
-- configuration.
select
    checks.submission_id, checks.configuration_id, checks.section, repetitions.load_profile, read_ratio,
    count(*) as point_count, count(*) filter (where effect = 'X') as different_count,
    min(measured_read_ratio - read_ratio) as lowest_ratio, max(measured_read_ratio - read_ratio) as highest_ratio, title
from validity_checks as checks
inner join repetitions using (repetition_id)
inner join configurations
    on (checks.submission_id, checks.configuration_id) = (configurations.submission_id, configurations.configuration_id)
where check_name = 'mix'
group by all
order by repetitions.load_profile, checks.submission_id, checks.configuration_id, checks.section
