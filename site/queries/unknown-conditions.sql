-- What the sources do not say: conditions that are unknown, by how many configurations lack them.
select field, count(*) as configuration_count, string_agg(distinct submission_id, '; ' order by submission_id) as submissions
from provenance
where how_known = 'unknown'
group by field
order by configuration_count desc, field
