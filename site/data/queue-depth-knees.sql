-- The knee of each sweep over queue depth. Random workloads by IOPS, sequential ones by throughput.
select
    peaks.workload_id, peaks.load_profile, peaks.metric, peaks.device_id, coalesce(devices.short_name, devices.device) as device, devices.media_class, peaks.drive_count, peaks.process_count,
    cast(format('{:.5g}', highest_value) as double) as peak_value, highest_queue_depth as queue_depth_peak, queue_depth_knee, queue_depth_before, knee_verdict,
    queue_depths_falling, peaks.depth_count, queue_depth_low, peaks.queue_depth_high, peaks.run_count, peak_id,
    peaks.submission_id, peaks.configuration_id, configurations.title
from peaks
inner join workloads using (workload_id)
inner join configurations
    on peaks.submission_id = configurations.submission_id and peaks.configuration_id = configurations.configuration_id
left join devices on peaks.device_id = devices.device_id
where knee_verdict in ('saturated', 'not_saturated') and peaks.metric = case access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
order by
    peaks.load_profile, devices.media_class, devices.device, peaks.submission_id, peaks.configuration_id, peaks.section,
    peaks.workload_id, peaks.load_basis, peak_id
