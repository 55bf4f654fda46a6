with sides as (

    select
        pair_id,
        operation,
        min(a_submission_id) as a_submission_id,
        min(a_configuration_id) as a_configuration_id,
        min(b_submission_id) as b_submission_id,
        min(b_configuration_id) as b_configuration_id,
        min(question) as question,
        bool_or(is_printed) as is_printed,
        bool_or(is_same_bench) as is_same_bench,
        bool_and(is_same_job) as is_same_job,
        count(*) filter (where reason is null and choice_rank = 1) as comparison_count,
        count(*) filter (where reason is not null) as excluded_count
    from {{ ref('int_comparisons') }}
    group by pair_id, operation

),

counted as (

    select
        sides.*,
        count(state) as condition_count,
        count(*) filter (where state = 'equal') as equal_count,
        coalesce(list_sort(list(condition_name) filter (where state = 'differs')), []) as differing_columns,
        coalesce(list_sort(list(condition_name) filter (where state = 'unknown' and effect = 'C')), [])
            as unknown_keys,
        count(*) filter (where state = 'unknown') as unknown_count
    from sides
    left join {{ ref('int_pair_conditions') }} using (pair_id, operation)
    group by all

),

final as (

    select
        * exclude (question, is_printed, is_same_bench, is_same_job),
        len(differing_columns) as differing_count,
        len(unknown_keys) as unknown_key_count,
        case
            when question <> 'replication' then question
            -- nothing that either side states is missing or different on the other
            when condition_count > 0 and condition_count = equal_count then 'repeat'
            else 'same device, conditions not known to be equal'
        end as question,
        case
            when is_printed then 'printed'
            when is_same_bench and is_same_job then 'same bench'
            when a_submission_id = b_submission_id then 'same file set'
            else 'separate'
        end as evidence
    from counted

)

select * from final
