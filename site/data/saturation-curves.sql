-- The measured points of every sweep with enough depths for a curve, beside the numbers of the curves that were fitted to
-- them. By throughput where no IOPS are known.
with places as (
    select distinct submission_id, configuration_id, section, workload_id, load_basis, queue_depth, place_id
    from numbers
    where number_kind = 'geometric_mean'
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
),

knees as (
    select
        submission_id, configuration_id, section, workload_id, load_basis, metric, knee_verdict,
        highest_value as peak_value, queue_depth_before, queue_depth_knee, queue_depth_low
    from peaks
)

select
    fits.submission_id, fits.configuration_id, fits.section, fits.load_profile, fits.workload_id, fits.load_basis,
    fits.metric, fits.device,
    configurations.title, configurations.media_class, rates.queue_depth, rates.rate_value, rates.rate_min_value,
    rates.rate_max_value, rates.repetition_count, knees.knee_verdict, knees.peak_value,
    knees.queue_depth_before, knees.queue_depth_knee, knees.queue_depth_low,
    fits.verdict as fit_verdict, fits.largest_error_ratio as fit_error_ratio, fits.slope_value, fits.ceiling_value,
    fits.sharpness_value, laws.verdict as law_verdict, laws.largest_error_ratio as law_error_ratio,
    laws.rate_at_one_value, laws.contention_ratio, laws.coherency_ratio,
    'submissions/' || fits.submission_id || '#n-' || places.place_id as href
from curve_fits as fits
inner join configurations using (submission_id, configuration_id)
inner join knees using (submission_id, configuration_id, section, workload_id, load_basis, metric)
inner join rates using (submission_id, configuration_id, section, workload_id, load_basis, metric)
left join curve_fits as laws
    on
        fits.submission_id = laws.submission_id and fits.configuration_id = laws.configuration_id
        and fits.section = laws.section and fits.workload_id = laws.workload_id and fits.load_basis = laws.load_basis
        and fits.metric = laws.metric and laws.model = 'scalability law'
inner join places using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
where fits.model = 'saturation' and fits.verdict <> 'too_few_points' and rates.rate_value > 0
order by
    fits.load_profile, fits.submission_id, fits.configuration_id, fits.section, fits.workload_id, fits.load_basis,
    rates.queue_depth
