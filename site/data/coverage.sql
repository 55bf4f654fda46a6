-- Documented conditions of each submission: per field the share of its configurations, systems or devices for which the value
-- is known, and how it is known.
with asked as (
    select component, unnest(fields) as field, generate_subscripts(fields, 1) as place
    from (
        values
        ('system', ['system_vendor', 'system_model', 'cpu_model', 'cpu_core_count', 'cpu_nominal_hertz', 'cpu_power_state',
            'memory_bytes', 'bios_version', 'virtualisation']),
        ('device', ['model', 'firmware', 'capacity_bytes', 'lba_format', 'link_negotiated', 'write_cache']),
        ('storage', ['storage_topology', 'filesystem', 'allocation_unit_bytes']),
        ('software', ['operating_system', 'kernel', 'driver_version', 'io_scheduler', 'tool', 'tool_version', 'power_plan']),
        ('method', ['preconditioning', 'steady_state', 'measurement_area', 'file_written', 'data_pattern', 'cache_bypass',
            'process_count', 'repetition_count', 'run_time_seconds', 'ramp_seconds', 'latency_kind'])
    ) as lists (component, fields)
),

counted as (
    select
        submission_id, component, place, field,
        count(*) filter (where how_known <> 'not_applicable') as asked_count,
        count(*) filter (where how_known in ('stated', 'declared')) as stated_count,
        count(*) filter (where how_known = 'collected') as collected_count,
        count(*) filter (where how_known = 'inferred') as inferred_count
    from raw.provenance
    inner join asked using (component, field)
    group by all
)

select
    submission_id, submissions.title,
    try_cast(
        regexp_extract(concat_ws(' ', nullif(citation_date, 'unknown'), tested_on, submission_id), '(19|20)[0-9][0-9]') as bigint
    ) as year,
    component, place, field, asked_count, stated_count, collected_count, inferred_count, completeness_ratio
from counted
inner join submissions using (submission_id)
where status in ('active', 'disputed')
order by year, submission_id, component, place
