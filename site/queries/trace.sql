-- From a number to its file: the path, the SHA-256, and the line or pointer in it; of figures that were taken over from a
-- file kept elsewhere, that file and the place in it, too.
select device, load_profile, queue_depth, operations_per_second, printed_text, submission_id, source_path, source_pointer,
    source_sha256, origin_path, origin_pointer, origin_line, origin_sha256
from results
where operations_per_second is not null
order by operations_per_second desc
limit 20
