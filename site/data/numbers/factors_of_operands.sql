-- numerator and denominator of a scaling factor: points at a queue depth, or peaks
with sides as (
    select
        scaling_id, factor_ratio, drive_count, metric, 'array' as side, submission_id, workload_id,
        array_configuration_id as configuration_id, array_section as section, queue_depth
    from scaling
    union all
    select
        scaling_id, factor_ratio, drive_count, metric, 'base', submission_id, workload_id, base_configuration_id,
        base_section, base_queue_depth
    from scaling
)

select
    scaling_id, factor_ratio, sides.drive_count, metric, side, if(sides.queue_depth is null, peak_id, point_id) as operand_id
from sides
left join (from points where load_basis = 'outstanding') as points
    using (submission_id, configuration_id, section, workload_id, queue_depth)
left join (from peaks where load_basis = 'outstanding') as peaks
    using (submission_id, configuration_id, section, workload_id, metric)
