-- Queue depths at which a publication locates applications.
select
    printed_low as depth_low, printed_high as depth_high, submissions.citation_publisher as publisher,
    'source?file=raw/' || figures.submission_id || '/' || files.path || '&at=' || replace(figures.source_pointer, ' ', '+') as href
from figures
inner join files using (file_id)
inner join submissions on figures.submission_id = submissions.submission_id
where submissions.status in ('active', 'disputed')
    and figures.quantity = 'queue_depth' and figures.value_kind = 'range' and figures.figure_id like '%data_centre%'
order by href
