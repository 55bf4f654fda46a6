-- Consistency of limits: measured values relative to a limit that the source states or the medium has, by
-- configuration and load profile:
-- throughput over the limit, or half a rotation over the latency of a disk. A value above 1 exceeds the limit.
with checks as (
    select
        *,
        case quantity_name when 'latency_mean_seconds' then limit_value / quantity_value else quantity_value / limit_value end as share
    from validity_checks
    where check_name = 'stated limit' or subject = 'half rotation'
),

highest as (
    select
        checks.submission_id, checks.configuration_id, checks.section, repetitions.load_profile, checks.check_name,
        count(*) as point_count,
        count(*) filter (where checks.verdict in ('beyond the stated limit', 'served by a cache')) as beyond_count,
        arg_max(checks.quantity_value, share) as checked_value,
        arg_max(checks.limit_value, share) as limit_value,
        arg_max(checks.figure_id, share) as figure_id,
        max(share) as share_ratio
    from checks
    inner join repetitions using (repetition_id)
    group by all
)

select
    highest.* exclude (figure_id), configurations.title, configurations.media_class, figures.printed_text,
    'source?file=raw/' || highest.submission_id || '/' || files.path || '&at=' || replace(figures.source_pointer, ' ', '+') as href
from highest
inner join configurations using (submission_id, configuration_id)
left join figures
    on highest.submission_id = figures.submission_id and highest.figure_id = figures.figure_id and figures.is_canonical
left join files using (file_id)
order by share_ratio desc, highest.configuration_id, highest.section, highest.load_profile, highest.check_name
