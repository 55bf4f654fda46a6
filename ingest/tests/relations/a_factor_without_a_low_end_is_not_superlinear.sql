-- More than the ideal is more for certain only where even the low end is.
select
    scaling_id,
    factor_low_ratio,
    ideal_ratio
from {{ ref('scaling') }}
where is_superlinear and coalesce(factor_low_ratio, 0) <= ideal_ratio
