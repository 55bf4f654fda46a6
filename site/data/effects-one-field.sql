-- Pairs of configurations that differ in exactly one recorded field, with the ratio of their IOPS.
select
    effects.submission_id, coalesce(effects.changed_setting, effects.changed_column) as field_name,
    effects.a_configuration_id, effects.b_configuration_id, effects.a_text as a_field, effects.b_text as b_field,
    effects.section, effects.a_load_profile as load_profile, effects.access_pattern, effects.basis,
    effects.a_value as a_operations_per_second, effects.b_value as b_operations_per_second, effects.effect_ratio,
    effects.elasticity_ratio, effects.unknown_column_count as unknown_field_count, a.title as a_title,
    b.title as b_title, a.conditions as a_conditions, b.conditions as b_conditions
from effects
inner join configurations as a
    on effects.submission_id = a.submission_id and effects.a_configuration_id = a.configuration_id
inner join configurations as b
    on effects.submission_id = b.submission_id and effects.b_configuration_id = b.configuration_id
where effects.a_configuration_id <> effects.b_configuration_id and effects.metric = 'operations_per_second'
    and effects.changed_with is null
order by
    field_name, effects.submission_id, effects.a_configuration_id, effects.b_configuration_id, effects.section,
    effects.a_load_profile, effects.basis
