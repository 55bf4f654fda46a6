-- Effect of a smaller block size on IOPS and throughput, within one configuration.
select
    rates.submission_id, rates.b_configuration_id as configuration_id, rates.section, rates.basis,
    rates.a_load_profile as smaller_load_profile, rates.b_load_profile as larger_load_profile, workloads.read_ratio,
    try_cast(rates.a_text as bigint) as smaller_block_size_bytes, try_cast(rates.b_text as bigint) as larger_block_size_bytes,
    rates.a_value as smaller_operations_per_second, rates.b_value as larger_operations_per_second,
    1 / rates.effect_ratio as operations_ratio, 1 / bytes.effect_ratio as throughput_ratio, configurations.title,
    configurations.conditions
from effects as rates
inner join effects as bytes using (submission_id, b_configuration_id, section, a_workload_id, b_workload_id, basis)
inner join workloads on rates.a_workload_id = workloads.workload_id
inner join configurations
    on (rates.submission_id, b_configuration_id) = (configurations.submission_id, configurations.configuration_id)
where rates.changed_column = 'block_size_bytes' and rates.metric = 'operations_per_second'
    and bytes.metric = 'throughput_bytes_per_second' and bytes.changed_column = 'block_size_bytes'
order by smaller_load_profile, rates.submission_id, configuration_id, rates.section, rates.basis, larger_load_profile
