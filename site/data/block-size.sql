-- IOPS and throughput by block size and queue depth, for every drive with three block sizes or more: by pattern, share of
-- reads, engine and number of processes. A cell with several points shows the highest usable one. A random read from NAND
-- takes longer than 30 µs; where a tenth of the reads or more took less, they probably did not come from NAND.
with quick as (
    select distinct submission_id, configuration_id, section, workload_id, load_basis, queue_depth
    from tail_latency
    where statistic = 'percentile' and operation = 'read' and percentile_ratio >= 0.1 and latency_seconds < 30e-6
),

steps as (
    select
        points.submission_id, points.device_id, points.device, points.media_class, workloads.access_pattern,
        workloads.read_ratio, points.engine, points.process_count, points.tool_version, workloads.block_size_bytes,
        points.queue_depth, points.operations_per_second, points.throughput_bytes_per_second, points.run_count,
        points.value_kind, points.reservations, points.exclusions, points.point_id,
        coalesce(
            quick.submission_id is not null and workloads.access_pattern = 'random'
            and points.media_class in ('ssd_sas', 'ssd_sata', 'ssd_nvme'), false
        ) as is_quick
    from points
    inner join workloads using (workload_id)
    left join quick using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
    where points.storage_topology = 'single' and points.load_basis = 'outstanding' and points.device_id is not null
        and points.queue_depth is not null and workloads.block_size_bytes is not null
        and workloads.access_pattern in ('random', 'sequential') and workloads.stream_count is null
        and points.operations_per_second is not null and points.throughput_bytes_per_second is not null
        and coalesce(workloads.load_options, '{"norandommap":true}') = '{"norandommap":true}'
    qualify row_number() over (
        partition by
            points.submission_id, points.device_id, workloads.access_pattern, workloads.read_ratio, points.engine,
            points.process_count, workloads.block_size_bytes, points.queue_depth
        order by
            len(points.exclusions) > 0
            and not regexp_matches(coalesce(array_to_string(points.exclusions, '; '), ''), 'area not written|cache|nearly empty'),
            len(points.exclusions) > 0, points.operations_per_second desc, points.point_id
    ) = 1
)

select
    dense_rank() over (order by submission_id, device_id, access_pattern, read_ratio, engine, process_count) as series_number, *,
    count(*) over series as cell_count
from steps
window series as (partition by submission_id, device_id, access_pattern, read_ratio, engine, process_count)
qualify count(distinct block_size_bytes) over series >= 3 and count(distinct queue_depth) over series >= 3
order by
    access_pattern, read_ratio desc, cell_count desc, device, series_number, block_size_bytes, queue_depth
