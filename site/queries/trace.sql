-- From a number to its file: path, SHA-256, and the line or pointer in the file; for figures taken from a file published elsewhere, also that file and
-- place.
select device, load_profile, queue_depth, operations_per_second, printed_text, submission_id, source_path, source_pointer,
    source_sha256, origin_path, origin_pointer, origin_line, origin_sha256
from results
where operations_per_second is not null
order by operations_per_second desc
limit 20
