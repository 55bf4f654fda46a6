-- Ratio of the IOPS of two drives at queue depth 1 (4 KiB random read): smallest and largest over their setups, each pair in
-- both directions. Pairs without comparable setups have no row.
with sides as (
    select a.device_id, b.device_id as reference_id, ratio
    from comparisons
    inner join points as a on a_point_id = a.point_id
    inner join points as b on b_point_id = b.point_id
    where comparisons.queue_depth = 1 and comparisons.metric = 'operations_per_second' and a.load_profile = '4 KiB random read'
        and a.storage_topology = 'single' and b.storage_topology = 'single' and a.device_id <> b.device_id and ratio > 0
)

select device_id, reference_id, min(ratio) as low, max(ratio) as high, count(*) as setup_count
from (
    from sides
    union all
    select reference_id, device_id, 1 / ratio from sides
)
group by device_id, reference_id
order by device_id, reference_id
