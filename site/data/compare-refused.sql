-- Which two configurations are not divided by each other at all, and what stands in the way: the conditions that differ
-- (effect X), the checks that forbid it, or that they were never measured at one load.
-- A pair of two submissions stands with both.
with divided as (
    select distinct a_submission_id, a_configuration_id, b_submission_id, b_configuration_id from quotients
),

deciding as (
    select
        a_submission_id, a_configuration_id, b_submission_id, b_configuration_id, reason,
        list_sort(list_distinct(list_transform(
            list_filter(string_split(coalesce(reason_columns, ''), ', '), lambda each: ends_with(each, ':X')),
            lambda each: each[:-3]
        ))) as deciding
    from excluded_pairs
    anti join divided using (a_submission_id, a_configuration_id, b_submission_id, b_configuration_id)
    where b_submission_id is not null
),

each_way as (
    from deciding
    union all by name
    select
        a_submission_id as b_submission_id, a_configuration_id as b_configuration_id, b_submission_id as a_submission_id,
        b_configuration_id as a_configuration_id, reason, deciding
    from deciding
    where a_submission_id <> b_submission_id
)

select
    a_submission_id, a_configuration_id, b_submission_id, b_configuration_id,
    array_to_string(list_sort(list_distinct(list(reason))), ', ') as reasons,
    nullif(array_to_string(list_sort(list_distinct(flatten(list(deciding)))), ', '), '') as deciding
from each_way
group by all
order by all
