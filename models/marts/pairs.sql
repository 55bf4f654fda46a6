with comparisons as (

    select * from {{ ref('int_comparisons') }}

),

conditions as (

    select
        *,
        -- a setting goes by its scope and name
        if(
            contains(column_name, ' '),
            substr(column_name, strpos(column_name, ' ') + 1),
            split_part(column_name, '.', 2)
        ) as name
    from {{ ref('int_pair_conditions') }}

),

counted as (

    select
        conditions.pair_id,
        conditions.operation,
        count(*) as condition_count,
        count(*) filter (where conditions.state = 'equal') as equal_count,
        array_to_string(
            list_sort(list(conditions.name) filter (where conditions.state = 'differs')),
            ', '
        ) as differing_columns,
        count(*) filter (where conditions.state = 'differs') as differing_count,
        array_to_string(
            list_sort(
                list(conditions.name) filter (where conditions.state = 'unknown' and conditions.effect = 'C')
            ),
            ', '
        ) as unknown_keys,
        count(*) filter (where conditions.state = 'unknown' and conditions.effect = 'C') as unknown_key_count,
        count(*) filter (where conditions.state = 'unknown') as unknown_count
    from conditions
    group by conditions.pair_id, conditions.operation

),

sides as (

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
        count(*) filter (where choice_rank = 1) as comparison_count,
        count(*) filter (where reason is not null) as excluded_count
    from comparisons
    group by pair_id, operation

),

final as (

    select
        sides.pair_id,
        sides.operation,
        sides.a_submission_id,
        sides.a_configuration_id,
        sides.b_submission_id,
        sides.b_configuration_id,
        case
            when sides.question <> 'replication' then sides.question
            -- nothing that either side states is missing or different on the other
            when counted.differing_count = 0 and counted.unknown_count = 0 then 'repeat'
            else 'same device, conditions not known to be equal'
        end as question,
        case
            when sides.is_printed then 'printed'
            when sides.is_same_bench and sides.is_same_job then 'same bench'
            when sides.a_submission_id = sides.b_submission_id then 'same file set'
            else 'separate'
        end as evidence,
        coalesce(counted.condition_count, 0) as condition_count,
        coalesce(counted.equal_count, 0) as equal_count,
        coalesce(counted.differing_columns, '') as differing_columns,
        coalesce(counted.differing_count, 0) as differing_count,
        coalesce(counted.unknown_keys, '') as unknown_keys,
        coalesce(counted.unknown_key_count, 0) as unknown_key_count,
        coalesce(counted.unknown_count, 0) as unknown_count,
        sides.comparison_count,
        sides.excluded_count
    from sides
    left join counted on sides.pair_id = counted.pair_id and sides.operation = counted.operation

)

select * from final
