select
    submission_id || '/' || configuration_id as id, title, device_id, device, media_class, drive_count,
    storage_topology, drive_firmware, drive_capacity_bytes, system_vendor, system_model, virtualisation, cpu_model,
    cpu_socket_count, cpu_core_count, memory_bytes, bios_version, controller_model, operating_system, kernel,
    driver_name, io_scheduler, filesystem, setting_set, preconditioning, steady_state, measurement_area,
    measurement_area_bytes, data_pattern, cache_bypass, file_written, conditions, known_field_count,
    required_field_count
from configurations
order by id
