-- Every device model.
select
    device_id, device, vendor, media_class, nand_type, capacity_bytes, interface_protocol, interface_generation,
    submission_count, configuration_count, result_count, load_profile_count
from devices
order by device, device_id
