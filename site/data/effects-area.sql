-- Effect of a larger measured area, with the share of the drive that each side covers.
select
    effects.submission_id, effects.a_configuration_id as smaller_configuration_id,
    effects.b_configuration_id as larger_configuration_id, a.measurement_area_bytes as smaller_area_bytes,
    b.measurement_area_bytes as larger_area_bytes,
    effects.changed_with as changed_fields, effects.section, effects.a_load_profile as load_profile,
    effects.access_pattern, workloads.block_size_bytes, effects.basis, effects.a_value as smaller_operations_per_second,
    effects.b_value as larger_operations_per_second, effects.effect_ratio, effects.elasticity_ratio,
    effects.is_processor_relevant, effects.unknown_column_count as unknown_field_count, a.title as smaller_title,
    b.title as larger_title,
    a.measurement_area_ratio as smaller_area_ratio, b.measurement_area_ratio as larger_area_ratio
from effects
inner join workloads on effects.a_workload_id = workloads.workload_id
inner join configurations as a on (effects.submission_id, a_configuration_id) = (a.submission_id, a.configuration_id)
inner join configurations as b on (effects.submission_id, b_configuration_id) = (b.submission_id, b.configuration_id)
where effects.changed_column = 'measurement_area_bytes' and effects.metric = 'operations_per_second'
order by effects.submission_id, a_configuration_id, b_configuration_id, a_load_profile, effects.section, basis
