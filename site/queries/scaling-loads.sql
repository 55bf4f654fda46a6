-- Scaling factors over all workloads: how they change with the outstanding I/Os per drive.
select
    submission_id, replace(min(scaling.load_profile), ', norandommap=true', '') as load_profile,
    min(topology) as topology, min(drive_count) as drive_count, min(device) as device, array_configuration_id,
    array_section, count(distinct queue_depth) as load_count, min(factor_ratio) as lowest_factor_ratio,
    arg_min(queue_depth, factor_ratio) as lowest_queue_depth, max(factor_ratio) as highest_factor_ratio,
    arg_max(queue_depth, factor_ratio) as highest_queue_depth
from scaling
inner join workloads using (workload_id)
where starts_with(basis, 'queue_depth') and metric = case access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
group by submission_id, workload_id, array_configuration_id, array_section
having count(distinct queue_depth) > 1
order by load_profile, device, topology, drive_count, array_configuration_id, array_section, workload_id
