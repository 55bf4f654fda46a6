-- Pairs of configurations that cannot be compared in any workload, with the reason: conditions that differ, checks that
-- failed, or no common workload.
with refused as (
    select a_submission_id, a_configuration_id, b_submission_id, b_configuration_id, pair_id
    from pairs
    group by all
    having sum(comparison_count) = 0
)

select
    a_submission_id, a_configuration_id, b_submission_id, b_configuration_id,
    list_sort(list_distinct(list(reason))) as reasons, list_sort(list_distinct(flatten(list(reason_columns)))) as deciding
from refused
inner join excluded_loads using (pair_id)
group by all
order by all
