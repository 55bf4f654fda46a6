-- RAID 0 scaling: factor of an array over one drive, with the ideal for its drives and workload.
select load_profile, metric, basis, queue_depth, drive_count, device, factor_ratio, factor_ratio_low, factor_ratio_high,
    ideal_ratio, efficiency_ratio, is_superlinear, condition_columns, submission_id, array_configuration_id, base_configuration_id
from scaling
where topology = 'raid0'
order by load_profile, metric, drive_count, queue_depth, submission_id, array_configuration_id, base_configuration_id
