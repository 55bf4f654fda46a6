-- Where each sweep over queue depth stops gaining: only sweeps with enough depths to tell.
select
    submission_id, configuration_id, section, load_profile, metric, device, peak_value, queue_depth_peak,
    queue_depth_knee, queue_depth_before, verdict, last_step_ratio, queue_depths_falling, depth_count,
    queue_depth_low, queue_depth_high, repetition_count
from saturations
order by load_profile, metric, submission_id, configuration_id, section
