-- Effect of a set of settings, with every setting that changed.
select
    effects.submission_id, effects.a_configuration_id as base_configuration_id,
    effects.b_configuration_id as changed_configuration_id, effects.a_text as base_setting_set,
    effects.b_text as changed_setting_set,
    effects.changed_with as changed_fields, effects.section, effects.a_load_profile as load_profile,
    effects.access_pattern, workloads.block_size_bytes, effects.basis, effects.a_value as base_operations_per_second,
    effects.b_value as changed_operations_per_second, effects.effect_ratio, effects.elasticity_ratio,
    effects.is_processor_relevant, effects.unknown_column_count as unknown_field_count, a.title as base_title,
    b.title as changed_title
from effects
inner join workloads on effects.a_workload_id = workloads.workload_id
inner join configurations as a on (effects.submission_id, a_configuration_id) = (a.submission_id, a.configuration_id)
inner join configurations as b on (effects.submission_id, b_configuration_id) = (b.submission_id, b.configuration_id)
where effects.changed_column = 'setting_set' and effects.metric = 'operations_per_second'
order by effects.submission_id, a_configuration_id, b_configuration_id, a_load_profile, effects.section, basis
