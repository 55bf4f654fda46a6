-- Vendor specifications of endurance, power and temperature as printed. Most describe a series, not one device; none was
-- measured here.
select
    figures.device, figures.quantity, figures.figure_id, figures.printed_text, figures.qualifier, figures.section,
    figures.submission_id, submissions.title,
    'raw/' || figures.submission_id || '/' || files.path as file, figures.source_pointer
from figures
inner join files using (file_id)
inner join submissions on figures.submission_id = submissions.submission_id
where submissions.status in ('active', 'disputed')
    and figures.quantity in ('endurance', 'power', 'heat', 'temperature_limit', 'mean_time_between_failures')
order by figures.device, figures.quantity, figures.figure_id
