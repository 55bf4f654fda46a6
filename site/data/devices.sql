-- Every device model, with what is known of it and how often it was measured.
select
    device_id, device, short_name, vendor, model, media_class, nand_type, capacity_bytes, interface_protocol,
    interface_generation, submission_count, configuration_count, result_count, load_profile_count
from devices
order by media_class, device, device_id
