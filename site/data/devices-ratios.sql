-- Ratio of the IOPS of two drives at queue depth 1 (4 KiB random read): smallest and largest over their setups, each pair in
-- both directions. Pairs without comparable setups have no row. A reference behind USB stands for no medium.
with sides as (
    select a.device_id, b.device_id as reference_id, ratio
    from comparisons
    inner join points as a on a_point_id = a.point_id
    inner join points as b on b_point_id = b.point_id
    where comparisons.queue_depth = 1 and comparisons.metric = 'operations_per_second' and a.load_profile = '4 KiB random read'
        and a.storage_topology = 'single' and b.storage_topology = 'single' and a.device_id <> b.device_id and ratio > 0
),

both_ways as (
    from sides
    union all
    select reference_id, device_id, 1 / ratio from sides
)

select both_ways.device_id, reference_id, if(interface_protocol = 'USB', null, media_class) as reference_class,
    min(ratio) as low, max(ratio) as high, count(*) as setup_count
from both_ways
inner join devices on reference_id = devices.device_id
group by all
order by both_ways.device_id, reference_id
