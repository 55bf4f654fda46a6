select
    submission_id || '/' || configuration_id as id, title, device_id, device, storage_topology, drive_firmware, system_vendor,
    system_model, virtualisation, cpu_model, memory_bytes, bios_version, controller_model, operating_system, kernel,
    io_scheduler, filesystem, setting_set, preconditioning, steady_state, measurement_area, data_pattern, cache_bypass,
    file_written, known_field_count, required_field_count
from configurations
order by id
