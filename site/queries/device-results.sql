-- The results of one device: each result of one device with its place in the raw file. Replace the name in the first line.
with wanted as (select 'intel-dc-p3700-800gb' as device_id)
select load_profile, operation, queue_depth, operations_per_second, throughput_bytes_per_second, latency_mean_seconds,
    latency_kind, badges, submission_id, configuration_id, source_path, source_pointer
from results
where device_key in (select left(md5(device_id), 8) from wanted) and device_id in (from wanted)
order by submission_id, configuration_id, load_profile, operation, queue_depth, source_path, source_pointer
