-- Results with one firmware: replace 8DV1FJP5 by the firmware that you look for.
select device, drive_firmware, load_profile, operation, queue_depth, operations_per_second, throughput_bytes_per_second,
    latency_mean_seconds, latency_kind, submission_id, configuration_id, source_path, source_pointer
from results
where list_contains(string_split(drive_firmware, '; '), '8DV1FJP5')
order by device, load_profile, queue_depth, submission_id, configuration_id, source_path, source_pointer, result_id
