-- Pairs of configurations that are compared, with the number of comparisons and their page.
select
    a_submission_id, a_configuration_id, b_submission_id, b_configuration_id, sum(comparison_count)::bigint as comparison_count,
    pair_id
from pairs
group by all
having sum(comparison_count) > 0
order by all
