-- comparisons of a point or a peak: of each other device the one whose conditions differ least, four of them, and how
-- many there are; those without a ratio, because a side is a bound, come last
with counted as (
    select
        quotients.a_point_id,
        quotients.metric,
        coalesce(quotients.b_device, quotients.b_configuration_id) as other,
        quotients.pair_id,
        quotients.comparison_id,
        quotients.ratio,
        nullif(quotients.ratio_low, 0) as ratio_low,
        quotients.ratio_high,
        pairs.differing_count,
        pairs.equal_count,
        count(*) over (partition by quotients.a_point_id) as quotient_count
    from quotients
    inner join pairs using (pair_id, operation)
),

of_others as (
    select * from counted
    qualify row_number() over (
        partition by a_point_id, other
        order by ratio is null, metric <> 'operations_per_second', differing_count, equal_count desc, comparison_id
    ) = 1
),

ranked as (
    select
        *,
        row_number() over (
            partition by a_point_id
            order by ratio is null, differing_count, equal_count desc, other, comparison_id
        ) as rank_index
    from of_others
)

select
    a_point_id as point_id,
    any_value(quotient_count) as quotient_count,
    list(
        {
            pair: pair_id, id: comparison_id, other: other, ratio: ratio, low: ratio_low, high: ratio_high,
            measured: metric
        } order by rank_index
    ) as quotients
from ranked
where rank_index <= 4
group by a_point_id
