-- Ratio of the IOPS of two drives at queue depth 1 (4 KiB random read): smallest and largest over their setups, each pair in
-- both directions. Pairs without comparable setups have no row. A reference behind USB stands for no medium.
select a_device_id as device_id, b_device_id as reference_id, if(interface_protocol = 'USB', null, b_media_class) as reference_class,
    min(ratio) as low, max(ratio) as high, count(*) as setup_count
from quotients
inner join points as a on a_point_id = a.point_id
inner join points as b on b_point_id = b.point_id
inner join devices on b_device_id = devices.device_id
where quotients.queue_depth = 1 and metric = 'operations_per_second' and a.load_profile = '4 KiB random read'
    and a.storage_topology = 'single' and b.storage_topology = 'single' and a_device_id <> b_device_id and ratio > 0
group by all
order by a_device_id, reference_id
