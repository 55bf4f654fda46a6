-- What a higher processor clock does, with everything else of the processor that changed along.
select
    effects.submission_id, effects.slower_configuration_id, effects.faster_configuration_id, effects.slower_clock_hertz,
    effects.faster_clock_hertz, effects.changed_fields, effects.section, effects.load_profile, effects.access_pattern,
    effects.block_size_bytes, effects.basis, effects.slower_operations_per_second, effects.faster_operations_per_second,
    effects.effect_ratio, effects.elasticity_ratio, effects.is_processor_relevant, effects.unknown_field_count,
    slower.title as slower_title, faster.title as faster_title
from processor_clock_effects as effects
inner join configurations as slower
    on effects.submission_id = slower.submission_id and effects.slower_configuration_id = slower.configuration_id
inner join configurations as faster
    on effects.submission_id = faster.submission_id and effects.faster_configuration_id = faster.configuration_id
order by
    effects.submission_id, effects.slower_configuration_id, effects.faster_configuration_id, effects.load_profile,
    effects.section, effects.basis
