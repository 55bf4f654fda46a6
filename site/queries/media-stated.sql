-- Vendor specifications: endurance, power and temperature as printed. Most describe a series, not one device; none was
-- measured here.
select
    device, quantity, figure_id, printed_text, qualifier, section, submission_id, submissions.title,
    'raw/' || submission_id || '/' || files.path as file, source_pointer
from figures
inner join files using (file_id, submission_id)
inner join submissions using (submission_id)
where submissions.status in ('active', 'disputed')
    and quantity in ('endurance', 'power', 'heat', 'temperature_limit', 'mean_time_between_failures')
order by device, quantity, figure_id
