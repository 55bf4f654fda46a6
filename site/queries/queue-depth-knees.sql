-- Knees: the knee of each sweep over queue depth. Random workloads by IOPS, sequential ones by throughput.
select
    workload_id, peaks.load_profile, metric, peaks.device_id, coalesce(devices.short_name, devices.device) as device,
    devices.media_class, peaks.drive_count, peaks.process_count, cast(format('{:.5g}', highest_value) as double) as peak_value,
    highest_queue_depth as queue_depth_peak, queue_depth_knee, queue_depth_before, knee_verdict, queue_depths_falling,
    depth_count, queue_depth_low, queue_depth_high, run_count, peak_id, submission_id, configuration_id, configurations.title
from peaks
inner join workloads using (workload_id)
inner join configurations using (submission_id, configuration_id)
left join devices on peaks.device_id = devices.device_id
where knee_verdict in ('saturated', 'not_saturated') and metric = case access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
order by
    peaks.load_profile, devices.media_class, devices.device, submission_id, configuration_id, section, workload_id, load_basis, peak_id
