-- More than the ideal is more for certain only where even the low end is.
select
    scaling_id,
    factor_ratio_low,
    ideal_ratio
from {{ ref('scaling') }}
where is_superlinear and coalesce(factor_ratio_low, 0) <= ideal_ratio
