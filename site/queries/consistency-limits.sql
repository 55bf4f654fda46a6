-- Consistency of limits: measured values relative to a limit that the source states or the medium has: throughput over the
-- limit, or half a rotation over the latency of a disk. A value above 1 exceeds the limit.
with highest as (
    select
        checks.submission_id, checks.configuration_id, checks.section, repetitions.load_profile, check_name,
        count(*) as point_count,
        count(*) filter (where verdict in ('beyond the stated limit', 'served by a cache')) as beyond_count,
        arg_max(quantity_value, share) as checked_value, arg_max(limit_value, share) as limit_value,
        arg_max(checks.figure_id, share) as figure_id, max(share) as share_ratio
    from (
        select *, if(quantity_name = 'latency_mean_seconds', limit_value / quantity_value, quantity_value / limit_value) as share
        from validity_checks
        where check_name = 'stated limit' or subject = 'half rotation'
    ) as checks
    inner join repetitions using (repetition_id)
    group by all
)

select
    highest.* exclude (figure_id), title, media_class, printed_text,
    'source?file=raw/' || submission_id || '/' || files.path || '&at=' || replace(source_pointer, ' ', '+') as href
from highest
inner join configurations using (submission_id, configuration_id)
left join (from figures where is_canonical) as figures using (submission_id, figure_id)
left join files using (file_id, submission_id)
order by share_ratio desc, configuration_id, highest.section, highest.load_profile, check_name
