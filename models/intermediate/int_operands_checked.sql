{{ config(materialized='table') }}

with operands as (

    select * from {{ ref('int_operands') }}
    where own_reason is null

),

validity as (

    select * from {{ ref('int_validity_of_points') }}

),

joined as (

    select
        operands.operand_id,
        -- a peak is what the drive gave, whichever depth it reached
        list_filter(
            string_split(validity.verdicts_excluding, '; '),
            lambda words: words <> '' and not (operands.basis = 'peak' and words = 'depth not reached')
        ) as exclusions,
        list_filter(
            string_split(validity.verdicts, '; '),
            lambda words: words <> '' and not contains(validity.verdicts_excluding, words)
        ) as reservations,
        string_split(validity.verdicts_doubting, '; ') as doubts,
        validity.is_lower_bound,
        validity.generator_state = 'cleared' as is_generator_cleared,
        case
            when validity.generator_state <> 'unknown' then validity.generator_state = 'bound'
        end as is_generator_bound
    from operands
    inner join validity
        on
            operands.submission_id = validity.submission_id
            and operands.configuration_id = validity.configuration_id
            and operands.section = validity.section
            and operands.workload_id = validity.workload_id
            and operands.load_basis = validity.load_basis
            and operands.queue_depth = validity.queue_depth
            and operands.metric = validity.metric

),

final as (

    select
        * exclude (exclusions, reservations, doubts),
        case
            when len(exclusions) > 0 then 3
            when len(list_intersect(reservations, doubts)) > 0 then 2
            when len(reservations) > 0 then 1
            else 0
        end as worst,
        array_to_string(list_concat(exclusions, reservations), '; ') as verdicts,
        array_to_string(
            list_concat(
                list_transform(exclusions, lambda words: concat(words, ':X')),
                list_transform(
                    reservations, lambda words: concat(words, if(list_contains(doubts, words), ':C', ':B'))
                )
            ),
            ', '
        ) as check_columns
    from joined

)

select * from final
