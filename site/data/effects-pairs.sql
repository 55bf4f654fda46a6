-- Pairs of results of one submission that differ in one recorded condition, or in a few that changed together, with the ratio of
-- their IOPS: two configurations under one workload, or two workloads of one configuration (a larger block, more writes).
with bytes as (
    select submission_id, b_configuration_id, section, a_workload_id, b_workload_id, basis, effect_ratio as throughput_ratio
    from effects
    where metric = 'throughput_bytes_per_second' and changed_column = 'block_size_bytes'
)

select
    submission_id, coalesce(changed_setting, changed_column) as field_name, a_configuration_id, b_configuration_id,
    a_text as a_field, b_text as b_field, changed_with as changed_fields, section, a_load_profile, b_load_profile,
    access_pattern, basis, a_value as a_operations_per_second, b_value as b_operations_per_second, effect_ratio,
    throughput_ratio, if(a_configuration_id <> b_configuration_id, elasticity_ratio, null) as elasticity_ratio,
    if(a_configuration_id <> b_configuration_id, unknown_column_count, null) as unknown_field_count
from effects
left join bytes using (submission_id, b_configuration_id, section, a_workload_id, b_workload_id, basis)
where metric = 'operations_per_second'
order by
    a_configuration_id = b_configuration_id, field_name, submission_id, a_configuration_id, b_configuration_id,
    section, a_load_profile, basis, b_load_profile
