-- Scaling factor: value of several drives relative to one drive, by workload, topology, number of drives and I/O engine, at
-- the highest value of the array and relative to the fastest single drive. Random workloads by IOPS, sequential ones by
-- throughput.
with engines as (
    select submission_id, configuration_id as array_configuration_id, section as array_section, workload_id, min(engine) as engine
    from points
    group by all
)

select
    scaling.scaling_id, scaling.submission_id, submissions.title,
    replace(scaling.load_profile, ', norandommap=true', '') as load_profile, scaling.metric, scaling.topology,
    scaling.drive_count, scaling.basis, scaling.queue_depth, scaling.base_queue_depth, scaling.array_configuration_id,
    scaling.array_section, scaling.device_id, scaling.device, devices.media_class, engines.engine, scaling.array_value,
    scaling.base_value, scaling.factor_ratio, scaling.factor_ratio_low, scaling.factor_ratio_high, scaling.ideal_ratio,
    scaling.efficiency_ratio, scaling.stated_factor_ratio, scaling.stated_factor_text, scaling.condition_columns,
    scaling.reasons
from scaling
inner join workloads using (workload_id)
inner join submissions using (submission_id)
left join devices using (device_id)
left join engines using (submission_id, array_configuration_id, array_section, workload_id)
where scaling.metric = case workloads.access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
qualify row_number() over (
    partition by
        scaling.submission_id, scaling.workload_id, scaling.device_id, scaling.topology, scaling.drive_count, engines.engine
    order by scaling.array_value desc, scaling.base_value desc, scaling.scaling_id
) = 1
order by load_profile, scaling.device, scaling.submission_id, scaling.topology, engines.engine, scaling.drive_count, scaling.scaling_id
