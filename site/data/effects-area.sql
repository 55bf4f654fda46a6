-- What a larger measured area does, with the share of the drive that each side covers.
select
    effects.submission_id, effects.smaller_configuration_id, effects.larger_configuration_id, effects.section,
    effects.load_profile, effects.access_pattern, effects.block_size_bytes, effects.basis,
    effects.smaller_operations_per_second, effects.larger_operations_per_second, effects.smaller_area_bytes,
    effects.larger_area_bytes, effects.smaller_area_ratio, effects.larger_area_ratio, effects.effect_ratio,
    effects.unknown_field_count, smaller.title as smaller_title, larger.title as larger_title
from capacity_share_effects as effects
inner join configurations as smaller
    on effects.submission_id = smaller.submission_id and effects.smaller_configuration_id = smaller.configuration_id
inner join configurations as larger
    on effects.submission_id = larger.submission_id and effects.larger_configuration_id = larger.configuration_id
order by
    effects.submission_id, effects.smaller_configuration_id, effects.larger_configuration_id, effects.load_profile,
    effects.section, effects.basis
