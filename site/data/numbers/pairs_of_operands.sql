-- comparisons of a point or a peak: of each other device the one whose conditions differ least, four of them, and how
-- many there are; those without a ratio, because a side is a bound, come last
with of_others as (
    select
        a_point_id, metric, coalesce(b_device, quotients.b_configuration_id) as other, pair_id, comparison_id, ratio,
        nullif(ratio_low, 0) as ratio_low, ratio_high, differing_count, equal_count,
        count(*) over (partition by a_point_id) as quotient_count
    from quotients
    inner join pairs using (pair_id, operation)
    qualify row_number() over (
        partition by a_point_id, other
        order by ratio is null, metric <> 'operations_per_second', differing_count, equal_count desc, comparison_id
    ) = 1
)

select
    a_point_id as point_id,
    any_value(quotient_count) as quotient_count,
    list(
        {
            pair: pair_id, id: comparison_id, other: other, ratio: ratio, low: ratio_low, high: ratio_high,
            measured: metric
        } order by ratio is null, differing_count, equal_count desc, other, comparison_id
    )[:4] as quotients
from of_others
group by a_point_id
