-- Single drives to compare your own result with: per drive, workload and queue depth one point without exclusions, preferably
-- through the kernel, then with the fewest caveats, then with the highest IOPS. Media below 1 GB, as a floppy disk, are left out.
select workload_id, queue_depth, device_id, coalesce(short_name, devices.device) as device, devices.media_class,
    operations_per_second, latency_mean_seconds, points.value_kind, run_count, reservations, point_id, submission_id, configuration_id
from points
inner join devices using (device_id)
where storage_topology = 'single' and load_basis = 'outstanding' and len(exclusions) = 0 and operations_per_second is not null
    and coalesce(devices.capacity_bytes, 1e9) >= 1e9
    and workload_id in (select workload_id from workloads where is_complete)
qualify row_number() over (
    partition by workload_id, queue_depth, device_id
    order by coalesce(engine = 'spdk', false), len(reservations), operations_per_second desc, point_id
) = 1
order by workload_id, queue_depth, operations_per_second desc, device_id
