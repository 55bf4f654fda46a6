-- Conditions that sources do not state: conditions by the number of configurations that lack them.
select
    facts.field,
    count(distinct concat(
        facts.submission_id, '/',
        coalesce(facts.configuration_id, drives.configuration_id, configurations.configuration_id)
    )) as configuration_count,
    string_agg(distinct facts.submission_id, '; ' order by facts.submission_id) as submissions
from facts
left join drives on facts.submission_id = drives.submission_id and facts.subject = drives.device_id
left join configurations
    on facts.submission_id = configurations.submission_id and facts.configuration_id is null and drives.device_id is null
where facts.how_known = 'unknown'
group by facts.field
order by configuration_count desc, facts.field
