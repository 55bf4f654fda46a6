-- Latencies that a publication prints without a load profile, and how it states them.
select
    device, media_class, operation, latency_mean_seconds, value_kind, statistic, qualifier, printed_text, conditions,
    'submissions/' || submission_id || '#r-' || result_id as href
from (
    select * replace (coalesce(latency_mean_seconds, latency_min_seconds, latency_max_seconds) as latency_mean_seconds)
    from results
    where load_profile is null and tool = 'published' and is_canonical
)
where latency_mean_seconds is not null and device is not null
order by device, operation, href
