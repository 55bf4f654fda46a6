-- Pairs of configurations that differ in exactly one recorded field, and what it does to the rate.
select
    experiments.submission_id, experiments.field_name, experiments.a_configuration_id, experiments.b_configuration_id,
    coalesce(a_device.device, experiments.a_field) as a_field, coalesce(b_device.device, experiments.b_field) as b_field,
    experiments.section, experiments.load_profile, workloads.access_pattern,
    experiments.basis, experiments.a_operations_per_second, experiments.b_operations_per_second, experiments.effect_ratio,
    experiments.elasticity_ratio, experiments.unknown_field_count, a.title as a_title, b.title as b_title,
    a.conditions as a_conditions, b.conditions as b_conditions
from natural_experiments as experiments
inner join workloads using (workload_id)
inner join configurations as a
    on experiments.submission_id = a.submission_id and experiments.a_configuration_id = a.configuration_id
inner join configurations as b
    on experiments.submission_id = b.submission_id and experiments.b_configuration_id = b.configuration_id
left join devices as a_device on experiments.field_name = 'device_id' and experiments.a_field = a_device.device_id
left join devices as b_device on experiments.field_name = 'device_id' and experiments.b_field = b_device.device_id
order by
    experiments.field_name, experiments.submission_id, experiments.a_configuration_id, experiments.b_configuration_id,
    experiments.section, experiments.load_profile, experiments.basis
