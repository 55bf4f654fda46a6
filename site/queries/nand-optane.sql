-- NAND against Optane: every common workload, from queue depth 1 to 16, with verdict; a bound has no ratio.
select load_profile, metric, queue_depth, a_device, b_device, a_value, b_value, ratio, ratio_low, ratio_high, verdict,
    tolerated_spread_ratio, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
from quotients
where a_media_class = 'ssd_optane' and b_media_class in ('ssd_sas', 'ssd_sata', 'ssd_nvme', 'ssd_pcie')
    and queue_depth between 1 and 16
order by load_profile, metric, queue_depth, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id,
    comparison_id
