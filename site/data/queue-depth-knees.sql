-- Where each sweep over queue depth stops gaining, and the curves that describe it: the knee, three numbers of a curve, and
-- the universal scalability law. Random loads by IOPS, sequential ones by throughput.
select
    peaks.workload_id, peaks.load_profile, peaks.metric, peaks.device_id, coalesce(devices.short_name, devices.device) as device, devices.media_class, peaks.drive_count, peaks.process_count,
    round(highest_value, 2) as peak_value, highest_queue_depth as queue_depth_peak, queue_depth_knee, queue_depth_before, knee_verdict,
    queue_depths_falling, peaks.depth_count, queue_depth_low, peaks.queue_depth_high, peaks.repetition_count, peak_id,
    fits.verdict as fit_verdict, round(fits.largest_error_ratio, 4) as fit_error_ratio,
    round(fits.slope_value, 2) as slope_value, round(fits.ceiling_value, 2) as ceiling_value,
    round(fits.queue_depth_corner, 3) as queue_depth_corner, laws.verdict as law_verdict, round(laws.largest_error_ratio, 4) as law_error_ratio,
    round(laws.rate_at_one_value, 2) as rate_at_one_value,
    round(laws.contention_ratio, 6) as contention_ratio, round(laws.coherency_ratio, 9) as coherency_ratio,
    peaks.submission_id, peaks.configuration_id, configurations.title
from peaks
inner join workloads using (workload_id)
inner join configurations
    on peaks.submission_id = configurations.submission_id and peaks.configuration_id = configurations.configuration_id
left join devices on peaks.device_id = devices.device_id
left join curve_fits as fits
    on
        peaks.submission_id = fits.submission_id and peaks.configuration_id = fits.configuration_id
        and peaks.section = fits.section and peaks.workload_id = fits.workload_id and peaks.load_basis = fits.load_basis
        and peaks.metric = fits.metric and fits.model = 'saturation'
left join curve_fits as laws
    on
        peaks.submission_id = laws.submission_id and peaks.configuration_id = laws.configuration_id
        and peaks.section = laws.section and peaks.workload_id = laws.workload_id and peaks.load_basis = laws.load_basis
        and peaks.metric = laws.metric and laws.model = 'scalability law'
where knee_verdict in ('saturated', 'not_saturated') and peaks.metric = case access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
order by
    peaks.load_profile, devices.media_class, devices.device, peaks.submission_id, peaks.configuration_id, peaks.section,
    peaks.workload_id, peaks.load_basis, peak_id
