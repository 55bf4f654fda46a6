-- Documented conditions of each submission: per field the share of its configurations, systems or devices for which the value
-- is known, and how it is known.
with asked as (
    select *
    from (
        values
        ('system', 1, 'system_vendor'), ('system', 2, 'system_model'), ('system', 3, 'cpu_model'),
        ('system', 4, 'cpu_core_count'), ('system', 5, 'cpu_nominal_hertz'), ('system', 6, 'cpu_power_state'),
        ('system', 7, 'memory_bytes'), ('system', 8, 'bios_version'), ('system', 9, 'virtualisation'),
        ('device', 1, 'model'), ('device', 2, 'firmware'), ('device', 3, 'capacity_bytes'), ('device', 4, 'lba_format'),
        ('device', 5, 'link_negotiated'), ('device', 6, 'write_cache'),
        ('storage', 1, 'storage_topology'), ('storage', 2, 'filesystem'), ('storage', 3, 'allocation_unit_bytes'),
        ('software', 1, 'operating_system'), ('software', 2, 'kernel'), ('software', 3, 'driver_version'),
        ('software', 4, 'io_scheduler'), ('software', 5, 'tool'), ('software', 6, 'tool_version'),
        ('software', 7, 'power_plan'),
        ('method', 1, 'preconditioning'), ('method', 2, 'steady_state'), ('method', 3, 'measurement_area'),
        ('method', 4, 'file_written'), ('method', 5, 'data_pattern'), ('method', 6, 'cache_bypass'),
        ('method', 7, 'process_count'), ('method', 8, 'repetition_count'), ('method', 9, 'run_time_seconds'),
        ('method', 10, 'ramp_seconds'), ('method', 11, 'latency_kind')
    ) as fields (component, place, field)
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
    try_cast(regexp_extract(concat_ws(
        ' ', nullif(citation_date, 'unknown'), tested_on, submission_id
    ), '(19|20)[0-9][0-9]') as bigint) as year,
    component, place, field, asked_count, stated_count, collected_count, inferred_count, completeness_ratio
from counted
inner join submissions using (submission_id)
where status in ('active', 'disputed')
order by year, submission_id, component, place
