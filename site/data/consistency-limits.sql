-- How close measured values come to a limit that their source states, per configuration and load profile: the share of
-- the throughput, or for a disk half a rotation over the latency. Above 1 the limit is not kept.
with checks as (
    select *, case limit_kind when 'half_rotation' then limit_value / checked_value else checked_value / limit_value end as share
    from limit_checks
),

highest as (
    select
        submission_id, configuration_id, section, load_profile, limit_kind, count(*) as point_count,
        count(*) filter (where not is_within_limit) as beyond_count,
        arg_max(checked_value, share) as checked_value,
        arg_max(limit_value, share) as limit_value,
        arg_max(figure_id, share) as figure_id,
        max(share) as share_ratio
    from checks
    group by submission_id, configuration_id, section, load_profile, limit_kind
)

select
    highest.* exclude (figure_id), configurations.title, configurations.media_class, figures.printed_text,
    'source?file=raw/' || highest.submission_id || '/' || files.path || '&at=' || replace(figures.source_pointer, ' ', '+') as href
from highest
inner join configurations using (submission_id, configuration_id)
left join figures
    on highest.submission_id = figures.submission_id and highest.figure_id = figures.figure_id and figures.is_canonical
left join files on figures.file_id = files.file_id
order by share_ratio desc, highest.configuration_id, highest.section, highest.load_profile, highest.limit_kind
