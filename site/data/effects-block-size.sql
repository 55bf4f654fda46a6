-- What a smaller block gives in IOPS and costs in throughput, within one configuration.
select
    effects.submission_id, effects.configuration_id, effects.section, effects.basis, effects.smaller_load_profile,
    effects.larger_load_profile, effects.read_ratio, effects.smaller_block_size_bytes, effects.larger_block_size_bytes,
    effects.smaller_operations_per_second, effects.larger_operations_per_second, effects.operations_ratio,
    effects.throughput_ratio, configurations.title, configurations.conditions
from block_size_speedups as effects
inner join configurations using (submission_id, configuration_id)
order by
    effects.smaller_load_profile, effects.submission_id, effects.configuration_id, effects.section, effects.basis
