-- What vendors state about a device. None of it was measured for this dataset.
select
    device, media_class, operation, block_size_bytes, operations_per_second, throughput_bytes_per_second,
    printed_text, 'submissions/' || submission_id || '#r-' || result_id as href
from results
where value_kind = 'stated_spec' and device is not null
order by device, operation, href
