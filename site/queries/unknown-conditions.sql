-- What the sources do not say: conditions that are unknown, by how many configurations lack them.
select field, count(*) as configuration_count, string_agg(distinct submission_id, '; ' order by submission_id) as submissions
from provenance
inner join submissions using (submission_id)
where submissions.status in ('active', 'disputed') and how_known = 'unknown'
group by field
order by configuration_count desc, field
