-- IOPS × mean latency ÷ queue depth − 1, for every measured run that states all three.
select
    checks.submission_id, checks.configuration_id, checks.section, workloads.load_profile, repetition_index,
    checks.queue_depth, media_class, quantity_value - 1 as residual_ratio, verdict, reasons, repetitions.latency_kind
from validity_checks as checks
inner join configurations using (submission_id, configuration_id)
inner join repetitions using (repetition_id)
inner join workloads on checks.workload_id = workloads.workload_id
where quantity_name = 'achieved_depth_ratio'
order by
    workloads.load_profile, checks.submission_id, checks.configuration_id, checks.section, checks.queue_depth, repetition_index
