-- The scaling factor at every load per drive, and whether one number may stand for them: random load profiles by IOPS,
-- sequential ones by throughput.
select
    curves.submission_id, curves.load_profile, curves.topology, curves.drive_count, curves.device,
    curves.array_configuration_id, curves.array_section, curves.load_count, curves.curve, curves.ideal_ratio,
    curves.spread_ratio, curves.factor_ratio, curves.efficiency_ratio
from scaling_curves as curves
inner join workloads using (workload_id)
where curves.metric = case workloads.access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
order by curves.load_profile, curves.topology, curves.drive_count, curves.array_section
