-- What more writes do, at the same block size, order of addresses and load, within one configuration.
select
    effects.submission_id, effects.configuration_id, effects.section, effects.basis, effects.base_load_profile,
    effects.written_load_profile, effects.base_read_ratio, effects.written_read_ratio, effects.block_size_bytes,
    effects.access_pattern, effects.base_operations_per_second, effects.written_operations_per_second,
    effects.effect_ratio, configurations.title, configurations.conditions
from write_share_effects as effects
inner join configurations using (submission_id, configuration_id)
order by
    effects.base_load_profile, effects.submission_id, effects.configuration_id, effects.section, effects.basis
