-- Rate and mean latency at each load step, as pairs: what a user can choose between.
with places as (
    select distinct submission_id, configuration_id, section, workload_id, load_basis, queue_depth, place_id
    from numbers
    where number_kind = 'geometric_mean'
)

select
    points.workload_id, points.submission_id, points.configuration_id, points.section, points.load_profile,
    points.queue_depth, points.device, configurations.media_class, points.operations_per_second, points.throughput_bytes_per_second,
    points.latency_seconds as latency_mean_seconds, points.latency_kind, points.repetition_count, points.share_of_peak_ratio,
    points.is_efficient, configurations.conditions,
    'submissions/' || points.submission_id || '#n-' || places.place_id as href
from tail_latency as points
inner join places using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
inner join configurations using (submission_id, configuration_id)
where points.statistic = 'mean'
order by
    points.load_profile, points.submission_id, points.configuration_id, points.section, points.load_basis, points.queue_depth,
    points.workload_id, href
