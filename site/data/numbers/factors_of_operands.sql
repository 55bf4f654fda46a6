-- numerator and denominator of a scaling factor: points at a queue depth, or peaks
select
    scaling.scaling_id, scaling.factor_ratio, scaling.drive_count, scaling.metric, sides.side,
    coalesce(points.point_id, peaks.peak_id) as operand_id
from scaling
cross join (values ('array'), ('base')) as sides (side)
left join points
    on
        scaling.submission_id = points.submission_id
        and if(side = 'array', scaling.array_configuration_id, scaling.base_configuration_id) = points.configuration_id
        and if(side = 'array', scaling.array_section, scaling.base_section) = points.section
        and scaling.workload_id = points.workload_id
        and if(side = 'array', scaling.queue_depth, scaling.base_queue_depth) = points.queue_depth
        and points.load_basis = 'outstanding'
left join peaks
    on
        scaling.submission_id = peaks.submission_id
        and if(side = 'array', scaling.array_configuration_id, scaling.base_configuration_id) = peaks.configuration_id
        and if(side = 'array', scaling.array_section, scaling.base_section) = peaks.section
        and scaling.workload_id = peaks.workload_id
        and if(side = 'array', scaling.queue_depth, scaling.base_queue_depth) is null
        and scaling.metric = peaks.metric
        and peaks.load_basis = 'outstanding'
