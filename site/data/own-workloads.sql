-- The workloads of published points with all their fields, in the order of ioledger.loading.browser.
select workload_id, load_profile, access_pattern, random_ratio, read_ratio, block_size_min_bytes, block_size_max_bytes,
    case when load_options ->> 'bssplit' is null then block_split end as block_directions, cast(load_options as varchar) as load_options, stream_count
from workloads
where is_complete and workload_id in (select workload_id from points where storage_topology = 'single' and len(exclusions) = 0)
order by workload_id
