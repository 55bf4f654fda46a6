-- What vendors state about their devices, as it is printed. None of it was measured for this dataset.
select
    figures.device, figures.figure_id, figures.record_kind, figures.quantity, figures.printed_text,
    figures.printed_unit, figures.unit_basis, figures.value_kind, figures.qualifier,
    case
        when figures.quantity = 'operations_per_second' then figures.printed_value
    end as operations_per_second,
    case
        when figures.quantity = 'throughput' and figures.printed_unit = 'MB/s' and figures.unit_basis = 'base2' then figures.printed_value * 1048576
    end as throughput_bytes_per_second,
    'source?file=raw/' || figures.submission_id || '/' || files.path || '&at=' || replace(figures.source_pointer, ' ', '+') as href
from figures
inner join files using (file_id)
inner join submissions on figures.submission_id = submissions.submission_id
where submissions.status in ('active', 'disputed')
    and figures.record_kind in ('stated_spec', 'limit')
    and figures.quantity in ('operations_per_second', 'throughput', 'endurance', 'power', 'heat', 'temperature_limit')
order by figures.device, figures.quantity, figures.figure_id
