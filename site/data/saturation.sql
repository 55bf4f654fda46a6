-- Where each sweep over queue depth stops gaining: random load profiles by IOPS, sequential ones by throughput.
select
    peaks.workload_id, peaks.submission_id, configuration_id, section, peaks.load_profile, metric, peaks.device,
    configurations.title, configurations.conditions, highest_value as peak_value, highest_queue_depth as queue_depth_peak,
    queue_depth_knee, queue_depth_before, knee_verdict as verdict, last_step_ratio, queue_depths_falling, depth_count,
    queue_depth_low, queue_depth_high, peaks.repetition_count
from peaks
inner join workloads using (workload_id)
inner join configurations using (submission_id, configuration_id)
where knee_verdict is not null and metric = case access_pattern when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second' end
order by peaks.load_profile, metric, peaks.submission_id, configuration_id, section, peaks.workload_id, peaks.load_basis
