-- What a set of settings does, and every setting that changed along. A set that was measured and not printed keeps its
-- rows, without an effect.
select
    effects.submission_id, effects.base_configuration_id, effects.changed_configuration_id, effects.base_setting_set,
    effects.changed_setting_set, effects.changed_fields, effects.section, effects.load_profile, effects.access_pattern,
    effects.block_size_bytes, effects.basis, effects.base_operations_per_second, effects.changed_operations_per_second,
    effects.effect_ratio, effects.is_processor_relevant, effects.unknown_field_count,
    base.title as base_title, changed.title as changed_title
from setting_set_effects as effects
inner join configurations as base
    on effects.submission_id = base.submission_id and effects.base_configuration_id = base.configuration_id
inner join configurations as changed
    on effects.submission_id = changed.submission_id and effects.changed_configuration_id = changed.configuration_id
order by
    effects.submission_id, effects.base_configuration_id, effects.changed_configuration_id, effects.load_profile,
    effects.section, effects.basis
