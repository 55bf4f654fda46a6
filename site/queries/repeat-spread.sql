-- Variation of repetitions: largest over smallest value, for points that were measured at least three times, without exclusions.
select load_profile, queue_depth, run_count, operations_min_per_second, operations_per_second,
    operations_max_per_second, operations_max_per_second / operations_min_per_second as spread_ratio
from points
where run_count >= 3 and len(exclusions) = 0
order by spread_ratio desc, load_profile, queue_depth
