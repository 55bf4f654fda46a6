-- The measured points of every sweep with enough depths for a curve, beside the numbers of the curves that were fitted to
-- them. By throughput where no IOPS are known.
with places as (
    select distinct submission_id, configuration_id, section, workload_id, load_basis, queue_depth, place_id
    from numbers
    where number_kind = 'median'
),

rates as (
    select
        *, 'operations_per_second' as metric, operations_per_second as rate_value,
        operations_min_per_second as rate_min_value, operations_max_per_second as rate_max_value
    from points
    where operations_origin = 'measured'
    union all by name
    select
        *, 'throughput_bytes_per_second' as metric, throughput_bytes_per_second as rate_value,
        throughput_min_bytes_per_second as rate_min_value, throughput_max_bytes_per_second as rate_max_value
    from points
    where throughput_origin = 'measured'
)

select
    fits.submission_id, fits.configuration_id, fits.section, fits.load_profile, fits.workload_id, fits.load_basis,
    fits.metric, fits.device,
    configurations.title, configurations.media_class, rates.queue_depth, rates.rate_value, rates.rate_min_value,
    rates.rate_max_value, rates.repetition_count, saturations.verdict as knee_verdict, saturations.peak_value,
    saturations.queue_depth_before, saturations.queue_depth_knee, saturations.queue_depth_low,
    fits.verdict as fit_verdict, fits.largest_error_ratio as fit_error_ratio, fits.slope_value, fits.ceiling_value,
    fits.sharpness_value, laws.verdict as law_verdict, laws.largest_error_ratio as law_error_ratio,
    laws.rate_at_one_value, laws.contention_ratio, laws.coherency_ratio,
    'submissions/' || fits.submission_id || '#n-' || places.place_id as href
from saturation_fits as fits
inner join configurations using (submission_id, configuration_id)
inner join saturations using (submission_id, configuration_id, section, workload_id, load_basis, metric)
inner join rates using (submission_id, configuration_id, section, workload_id, load_basis, metric)
left join scalability_laws as laws
    using (submission_id, configuration_id, section, workload_id, load_basis, metric)
inner join places using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
where fits.verdict <> 'too_few_points' and rates.rate_value > 0
order by
    fits.load_profile, fits.submission_id, fits.configuration_id, fits.section, fits.workload_id, fits.load_basis,
    rates.queue_depth
