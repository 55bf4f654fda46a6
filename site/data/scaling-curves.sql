-- The scaling factor at every load per drive, and whether one number may stand for them: random load profiles by IOPS,
-- sequential ones by throughput.
with at_equal_load as (
    select
        scaling.*, case when scaling.basis <> 'peak' then scaling.queue_depth_per_drive end as curve_depth,
        case
            when scaling.basis = 'peak' then 'peak' else format('{:.6g}', scaling.queue_depth_per_drive)
        end as load_text
    from scaling
    inner join workloads using (workload_id)
    where (scaling.basis = 'peak' or starts_with(scaling.basis, 'queue_depth_per_drive='))
        and scaling.metric = case workloads.access_pattern
            when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
        end
)

select
    submission_id, min(load_profile) as load_profile, min(topology) as topology, min(drive_count) as drive_count,
    min(device) as device, array_configuration_id, array_section, count(*) as load_count,
    string_agg(concat(load_text, ': ', format('{:.4g}', factor_ratio)), '; ' order by curve_depth asc nulls last)
        as curve,
    min(ideal_ratio) as lowest_ideal_ratio, max(ideal_ratio) as ideal_ratio,
    max(factor_ratio) / min(factor_ratio) as spread_ratio,
    case when max(factor_ratio) <= 1.2 * min(factor_ratio) then median(factor_ratio) end as factor_ratio,
    case when max(factor_ratio) <= 1.2 * min(factor_ratio) then median(efficiency_ratio) end as efficiency_ratio
from at_equal_load
group by submission_id, workload_id, metric, array_configuration_id, array_section, base_configuration_id, base_section
order by
    load_profile, topology, drive_count, array_section, submission_id, array_configuration_id, workload_id, metric,
    base_configuration_id, base_section
