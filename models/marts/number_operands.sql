with numbers as (

    select * from {{ ref('numbers') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

selected as (

    select * from {{ ref('int_repetitions_selected') }}

),

parts as (

    select * from {{ ref('int_parts_selected') }}

),

read as (

    select
        repetitions.repetition_id,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
        unnest([
            repetitions.operations_per_second, repetitions.throughput_bytes_per_second, repetitions.latency_mean_seconds
        ]) as point_value,
        unnest([repetitions.operations_origin, repetitions.throughput_origin, 'measured']) as point_origin
    from repetitions

),

counted as (

    select
        numbers.number_id,
        numbers.metric,
        numbers.number_origin,
        selected.repetition_id
    from numbers
    inner join selected
        on
            numbers.submission_id = selected.submission_id
            and numbers.configuration_id = selected.configuration_id
            and numbers.section = selected.section
            and numbers.workload_id = selected.workload_id
            and numbers.load_basis = selected.load_basis
            and numbers.queue_depth = selected.queue_depth
    where numbers.number_kind = 'geometric_mean'
    union all
    select
        number_id,
        metric,
        number_origin,
        repetition_id
    from numbers
    where number_kind = 'stated'

),

final as (

    select
        counted.number_id,
        parts.result_id,
        counted.repetition_id,
        parts.submission_id,
        read.point_value
    from counted
    -- where one repetition was measured, those that are derived do not count
    inner join read
        on
            counted.repetition_id = read.repetition_id
            and counted.metric = read.metric
            and counted.number_origin = read.point_origin
    inner join parts on counted.repetition_id = parts.repetition_id
    where read.point_value is not null

)

select * from final
