-- Two specimens compared within each host, then over the hosts: IOPS of every workload that three hosts or more
-- measured.
select
    submission_id, a_device_id, a.device as a_device, a_specimen, b_device_id, b.device as b_device, b_specimen, load_profile,
    block_size_bytes, queue_depth, host_count, bench_count, ratio, ratio_low, ratio_high, verdict
from comparisons_over_hosts
inner join workloads using (workload_id)
inner join devices as a on a_device_id = a.device_id
inner join devices as b on b_device_id = b.device_id
where metric = 'operations_per_second'
order by a_device_id, a_specimen, b_device_id, b_specimen, access_pattern, block_size_bytes, read_ratio
