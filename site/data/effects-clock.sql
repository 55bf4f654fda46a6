-- Effect of a higher processor clock, with the other processor fields that changed at the same time.
select
    effects.submission_id, effects.a_configuration_id as slower_configuration_id,
    effects.b_configuration_id as faster_configuration_id, try_cast(effects.a_text as double) as slower_clock_hertz,
    try_cast(effects.b_text as double) as faster_clock_hertz,
    effects.changed_with as changed_fields, effects.section, effects.a_load_profile as load_profile,
    effects.access_pattern, workloads.block_size_bytes, effects.basis, effects.a_value as slower_operations_per_second,
    effects.b_value as faster_operations_per_second, effects.effect_ratio, effects.elasticity_ratio,
    effects.is_processor_relevant, effects.unknown_column_count as unknown_field_count, a.title as slower_title,
    b.title as faster_title
from effects
inner join workloads on effects.a_workload_id = workloads.workload_id
inner join configurations as a on (effects.submission_id, a_configuration_id) = (a.submission_id, a.configuration_id)
inner join configurations as b on (effects.submission_id, b_configuration_id) = (b.submission_id, b.configuration_id)
where effects.changed_column = 'cpu_nominal_hertz' and effects.metric = 'operations_per_second'
order by effects.submission_id, a_configuration_id, b_configuration_id, a_load_profile, effects.section, basis
