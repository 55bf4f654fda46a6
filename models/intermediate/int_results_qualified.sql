{{ config(materialized='table') }}

-- what a repetition is made of; the mart results has the others of its own, because writing them twice takes long
{% set carried = [
    'result_id', 'repetition_id', 'submission_id', 'configuration_id', 'file_id', 'source_sha256',
    'source_path', 'source_pointer', 'repetition_index', 'round_index', 'tool', 'tool_version', 'is_partial', 'test_name',
    'outcome', 'operation', 'access_pattern', 'read_ratio', 'block_size_bytes', 'queue_depth',
    'queue_depth_low', 'queue_depth_high', 'queue_depth_reached', 'is_queue_depth_sought', 'target_count',
    'process_count', 'load_basis', 'job_options', 'engine', 'is_direct', 'started_at', 'ended_at',
    'duration_seconds', 'ramp_seconds', 'operation_count', 'error_code', 'error_count', 'operations_per_second',
    'throughput_bytes_per_second', 'operations_resolution_per_second', 'throughput_resolution_bytes_per_second',
    'latency_kind', 'latency_mean_seconds', 'latency_max_seconds', 'latency_sample_count',
    'latency_resolution_seconds', 'cpu_user_ratio', 'cpu_system_ratio', 'cpu_busy_ratio',
    'is_steady_state_attained', 'queue_depth_origin', 'value_kind', 'statistic', 'unit_basis'
] %}

with results as (

    select * from {{ source('raw', 'results') }}

),

loaded as (

    select * from {{ ref('int_results_loaded') }}

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

figures as (

    select * from {{ source('raw', 'figures') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

rounds as (

    select
        submission_id,
        configuration_id,
        repetition_id,
        is_in_window
    from {{ ref('int_rounds_windowed') }}

),

-- where runs are repeated until they are steady, what comes before the window, and what fills the drive, is no figure
in_rounds as (

    select distinct
        submission_id,
        configuration_id
    from rounds

),

joined as (

    select
        {% for column in carried %}
            results.{{ column }},
        {% endfor %}
        results.is_canonical,
        loaded.is_whole_load,
        loaded.load_profile as stated_load_profile,
        loaded.workload_id,
        workloads.load_profile,
        case
            when workloads.workload_id is null then null
            when starts_with(lower(workloads.load_profile), lower(loaded.load_profile)) then 'stated'
            when workloads.is_listed then 'matched'
            else 'described'
        end as load_profile_origin,
        figures.figure_id,
        submissions.status as submission_status,
        in_rounds.submission_id is null or coalesce(rounds.is_in_window, false) as is_in_window,
        results.queue_depth / configurations.drive_count as queue_depth_per_drive,
        case
            when results.scope = 'publication' then coalesce(figures.section, 'publication')
            when results.process_count > 1 then concat('tool output, ', results.process_count, ' processes')
            else 'tool output'
        end as section
    from results
    inner join loaded on results.result_id = loaded.result_id
    left join workloads on loaded.workload_id = workloads.workload_id
    inner join submissions on results.submission_id = submissions.submission_id
    left join figures on results.result_id = figures.result_id
    left join rounds on results.repetition_id = rounds.repetition_id
    left join in_rounds
        on
            results.submission_id = in_rounds.submission_id
            and results.configuration_id = in_rounds.configuration_id
    left join configurations
        on
            results.submission_id = configurations.submission_id
            and results.configuration_id = configurations.configuration_id
    where submissions.status in ('active', 'disputed')

),

-- what reads and writes did together stands in the reads and in the writes
directed as (

    select distinct repetition_id
    from results
    where not is_partial and operation in ('read', 'write', 'trim')

),

admitted as (

    select
        joined.*,
        -- a part of a point: reads, writes and trims where a source states them apart, else what is mixed
        not is_partial and operation <> 'sync' and (operation <> 'mixed' or directed.repetition_id is null) as is_part,
        outcome = 'ok'
        and is_whole_load
        and not is_partial
        and is_canonical
        and is_in_window
        and configuration_id is not null
        -- a depth that was sought during the run is neither the one configured nor the one it ended at
        and is_queue_depth_sought is not true as is_admitted
    from joined
    left join directed on joined.repetition_id = directed.repetition_id

),

final as (

    select
        * exclude (is_admitted, is_canonical, is_in_window),
        is_admitted and value_kind in ('measured', 'approximate') as is_comparable,
        is_admitted and value_kind in ('lower_bound', 'upper_bound') as is_bound
    from admitted

)

select * from final
