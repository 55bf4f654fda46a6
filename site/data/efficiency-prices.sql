-- What a gigabyte and a thousand IOPS cost, in the printed currency and at the printed date.
select
    prices.submission_id, submissions.title, prices.device, prices.currency, prices.price_value, prices.price_date,
    prices.capacity_bytes, prices.price_per_gigabyte_value, prices.rate_kind, rates.qualifier,
    prices.rate_figure_id,
    prices.operations_per_second, prices.price_per_thousand_operations_value, prices.reasons,
    'source?file=raw/' || prices.submission_id || '/' || files.path || '&at=' || replace(figures.source_pointer, ' ', '+') as href
from prices
inner join submissions using (submission_id)
inner join figures
    on prices.submission_id = figures.submission_id and prices.price_figure_id = figures.figure_id and figures.is_canonical
left join figures as rates
    on prices.submission_id = rates.submission_id and prices.rate_figure_id = rates.figure_id and rates.is_canonical
inner join files on figures.file_id = files.file_id
order by prices.submission_id, prices.capacity_bytes, prices.device, prices.rate_figure_id
