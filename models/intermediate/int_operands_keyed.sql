with operands as (

    select * from {{ ref('int_operands') }}

),

results as (

    select * from {{ ref('results') }}
    where job_options is not null and is_comparable

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

final as (

    select * from at_depths
    union all
    select * from at_peaks

)

select * from final
