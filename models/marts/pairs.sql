{# a setting goes by its scope and name #}
{% set name = "if(
                contains(column_name, ' '), substr(column_name, strpos(column_name, ' ') + 1), split_part(column_name, '.', 2)
            )" %}

with counted as (

    select
        pair_id,
        operation,
        count(*) as condition_count,
        count(*) filter (where state = 'equal') as equal_count,
        list_sort(list({{ name }}) filter (where state = 'differs')) as differing_columns,
        count(*) filter (where state = 'differs') as differing_count,
        list_sort(list({{ name }}) filter (where state = 'unknown' and effect = 'C')) as unknown_keys,
        count(*) filter (where state = 'unknown' and effect = 'C') as unknown_key_count,
        count(*) filter (where state = 'unknown') as unknown_count
    from {{ ref('int_pair_conditions') }}
    group by pair_id, operation

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
    from {{ ref('int_comparisons') }}
    group by pair_id, operation

),

final as (

    select
        sides.* exclude (question, is_printed, is_same_bench, is_same_job),
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
        {% for column in ['condition', 'equal', 'differing', 'unknown_key', 'unknown'] %}
            coalesce(counted.{{ column }}_count, 0) as {{ column }}_count,
        {% endfor %}
        coalesce(counted.differing_columns, []) as differing_columns,
        coalesce(counted.unknown_keys, []) as unknown_keys
    from sides
    left join counted using (pair_id, operation)

)

select * from final
