-- Sweeps described by a first slope, a ceiling and how sharply the curve bends; by throughput where no IOPS are known.
select
    fits.workload_id, fits.submission_id, fits.configuration_id, fits.section, fits.load_profile, fits.metric,
    fits.device,
    fits.depth_count, peaks.queue_depth_low, fits.queue_depth_high, fits.peak_value, fits.verdict,
    fits.largest_error_ratio, fits.slope_value, fits.ceiling_value, fits.sharpness_value, fits.queue_depth_corner,
    configurations.title, configurations.conditions
from curve_fits as fits
inner join configurations using (submission_id, configuration_id)
inner join peaks using (submission_id, configuration_id, section, workload_id, load_basis, metric)
where fits.model = 'saturation'
order by fits.load_profile, fits.submission_id, fits.configuration_id, fits.section, fits.workload_id, fits.load_basis
