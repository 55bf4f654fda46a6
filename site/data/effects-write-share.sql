-- Effect of a higher share of writes, at the same block size, access pattern and queue depth, within one
-- configuration.
select
    effects.submission_id, effects.b_configuration_id as configuration_id, effects.section, effects.basis,
    effects.a_load_profile as base_load_profile, effects.b_load_profile as written_load_profile,
    try_cast(effects.a_text as double) as base_read_ratio, try_cast(effects.b_text as double) as written_read_ratio,
    workloads.block_size_bytes, effects.access_pattern, effects.a_value as base_operations_per_second,
    effects.b_value as written_operations_per_second, effects.effect_ratio, configurations.title,
    configurations.conditions
from effects
inner join workloads on effects.a_workload_id = workloads.workload_id
inner join configurations
    on effects.submission_id = configurations.submission_id
    and effects.b_configuration_id = configurations.configuration_id
where effects.changed_column = 'read_ratio' and effects.metric = 'operations_per_second'
order by
    base_load_profile, effects.submission_id, configuration_id, effects.section, effects.basis, written_load_profile
