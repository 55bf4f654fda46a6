{{ config(materialized='table') }}

with operands as (

    select * from {{ ref('int_operands') }}
    where own_reason is null

),

validity as (

    select * from {{ ref('int_validity_of_points') }}

),

results as (

    select * from {{ ref('int_results_qualified') }}
    where job_options is not null and is_comparable

),

joined as (

    select
        operands.operand_id,
        -- a peak is what the drive gave, whichever depth it reached
        list_filter(
            validity.exclusions, lambda words: not (operands.basis = 'peak' and words = 'depth not reached')
        ) as exclusions,
        list_filter(
            validity.reservations, lambda words: not list_contains(validity.exclusions, words)
        ) as reservations,
        validity.doubts,
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

checked as (

    select
        * exclude (reservations, doubts),
        case
            when len(exclusions) > 0 then 3
            when len(list_intersect(reservations, doubts)) > 0 then 2
            when len(reservations) > 0 then 1
            else 0
        end as worst,
        list_concat(exclusions, reservations) as verdicts
    from joined

),

options as (

    select distinct job_options from results

),

texts as (

    select
        job_options,
        job_key(job_options) as job_key
    from options

),

loads as (

    select
        results.submission_id,
        results.configuration_id,
        results.section,
        results.workload_id,
        results.queue_depth,
        min(texts.job_key) as job_key
    from results
    inner join texts on results.job_options = texts.job_options
    group by
        results.submission_id, results.configuration_id, results.section, results.workload_id, results.queue_depth
    having min(texts.job_key) = max(texts.job_key)

),

at_depths as (

    select
        operands.operand_id,
        loads.job_key
    from operands
    inner join loads
        on
            operands.submission_id = loads.submission_id
            and operands.configuration_id = loads.configuration_id
            and operands.section = loads.section
            and operands.workload_id = loads.workload_id
            and operands.queue_depth = loads.queue_depth
    where operands.basis is distinct from 'peak'

),

-- the highest of several depths rests on the jobs of all of them
at_peaks as (

    select
        operands.operand_id,
        array_to_string(list_select(list(loads.job_key), list_grade_up(list(loads.queue_depth))), ' ') as job_key
    from operands
    inner join loads
        on
            operands.submission_id = loads.submission_id
            and operands.configuration_id = loads.configuration_id
            and operands.section = loads.section
            and operands.workload_id = loads.workload_id
    where operands.basis = 'peak'
    group by operands.operand_id

),

keyed as (

    select * from at_depths
    union all
    select * from at_peaks

),

final as (

    select
        operands.operand_id,
        checked.* exclude (operand_id),
        keyed.job_key
    from operands
    left join checked on operands.operand_id = checked.operand_id
    left join keyed on operands.operand_id = keyed.operand_id

)

select * from final
