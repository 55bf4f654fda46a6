-- Which two configurations are divided by each other, with the number of their quotients and their page: each pair once, and
-- a pair of two submissions with both.
select
    a_submission_id, a_configuration_id, b_submission_id, b_configuration_id, count(*) as quotient_count,
    min(comparability_grade) as comparability_grade, min(a_repetition_count) as a_repetition_count,
    min(b_repetition_count) as b_repetition_count, min(pair_id) as pair_id
from quotients
where a_submission_id <> b_submission_id or a_configuration_id < b_configuration_id
group by all
order by all
