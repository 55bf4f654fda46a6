-- Latencies as publications state them, at the load of a single reader or writer or at a low queue depth. Figures that
-- name no configuration come from the table of figures; their unit is the printed one.
with stated as (
    select
        device, media_class, operation, coalesce(latency_mean_seconds, latency_min_seconds) as latency_seconds,
        value_kind, statistic, qualifier, printed_text, queue_depth, conditions,
        'submissions/' || submission_id || '#r-' || result_id as href
    from results
    where tool = 'published' and is_canonical and device is not null
        and (load_profile is null or load_profile like '1 KiB %')
    union all
    select
        figures.device, case when figures.device like '%Optane%' then 'ssd_optane' else 'ssd_nvme' end as media_class, 'read' as operation,
        figures.printed_value * case figures.printed_unit when 'ms' then 1e-3 else 1e-6 end as latency_seconds,
        figures.value_kind, coalesce(figures.statistic, 'point') as statistic, figures.qualifier, figures.printed_text,
        figures.queue_depth, null as conditions,
        'source?file=raw/' || figures.submission_id || '/' || files.path || '&at=' || replace(figures.source_pointer, ' ', '+') as href
    from figures
    inner join files using (file_id)
    inner join submissions on figures.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed')
        and figures.quantity = 'latency' and figures.result_id is null and figures.is_canonical and figures.record_kind = 'measured'
)

select * from stated
where latency_seconds is not null
order by device, operation, href
