-- Where each sweep over queue depth stops gaining: random load profiles by IOPS, sequential ones by throughput.
select
    saturations.submission_id, configuration_id, section, saturations.load_profile, metric, saturations.device,
    configurations.title, configurations.conditions, peak_value, queue_depth_peak,
    queue_depth_knee, queue_depth_before, verdict, last_step_ratio, queue_depths_falling, depth_count,
    queue_depth_low, queue_depth_high, saturations.repetition_count
from saturations
inner join workloads using (workload_id)
inner join configurations using (submission_id, configuration_id)
where metric = case access_pattern when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second' end
order by saturations.load_profile, metric, saturations.submission_id, configuration_id, section
