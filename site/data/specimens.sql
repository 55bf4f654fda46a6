-- Two specimens compared within each host, then over the hosts: IOPS of every workload that three hosts or more
-- measured.
select
    comparisons_over_hosts.submission_id,
    comparisons_over_hosts.a_device_id, a.device as a_device, comparisons_over_hosts.a_specimen,
    comparisons_over_hosts.b_device_id, b.device as b_device, comparisons_over_hosts.b_specimen,
    workloads.load_profile, workloads.block_size_bytes, comparisons_over_hosts.queue_depth,
    comparisons_over_hosts.host_count, comparisons_over_hosts.bench_count, comparisons_over_hosts.ratio,
    comparisons_over_hosts.ratio_low, comparisons_over_hosts.ratio_high, comparisons_over_hosts.verdict
from comparisons_over_hosts
inner join workloads using (workload_id)
inner join devices as a on comparisons_over_hosts.a_device_id = a.device_id
inner join devices as b on comparisons_over_hosts.b_device_id = b.device_id
where comparisons_over_hosts.metric = 'operations_per_second'
order by
    comparisons_over_hosts.a_device_id, comparisons_over_hosts.a_specimen, comparisons_over_hosts.b_device_id,
    comparisons_over_hosts.b_specimen, workloads.access_pattern, workloads.block_size_bytes, workloads.read_ratio
