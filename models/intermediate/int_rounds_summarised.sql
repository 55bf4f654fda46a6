with samples as (

    select * from {{ source('raw', 'samples') }}

),

measured as (

    select
        source_sha256,
        file_id,
        submission_id,
        configuration_id,
        repetition_id,
        operation,
        quantity,
        sample_index,
        coalesce(operations_per_second, throughput_bytes_per_second, latency_seconds) as sample_value,
        row_number() over whole_log - 1 as sample_order,
        count(*) over (partition by source_sha256, operation, quantity) as sample_count
    from samples
    where coalesce(operations_per_second, throughput_bytes_per_second, latency_seconds) is not null
    window whole_log as (partition by source_sha256, operation, quantity order by sample_index)

),

rounds as (

    select
        source_sha256,
        operation,
        quantity,
        5 * sample_order // sample_count + 1 as round_index,
        min(file_id) as file_id,
        min(submission_id) as submission_id,
        min(configuration_id) as configuration_id,
        min(repetition_id) as repetition_id,
        avg(sample_value order by sample_index) as round_value
    from measured
    where sample_count >= 5
    group by source_sha256, operation, quantity, round_index

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'steady_range') as steady_range,
        max(limit_value) filter (where limit_id = 'steady_excursion') as steady_excursion
    from known_limits

),

summarised as (

    select
        source_sha256,
        coalesce(operation, 'all') as operation,
        quantity,
        min(file_id) as file_id,
        min(submission_id) as submission_id,
        min(configuration_id) as configuration_id,
        min(repetition_id) as repetition_id,
        avg(round_value order by round_index) as mean_value,
        max(round_value) - min(round_value) as range_value,
        -- the five rounds stand at -2 to 2, so the least-squares slope is the sum of position times value over 10
        sum((round_index - 3) * round_value order by round_index) / 10 as slope_value
    from rounds
    group by source_sha256, operation, quantity

),

final as (

    select
        summarised.* exclude (range_value, slope_value),
        range_value / mean_value as range_ratio,
        4 * abs(slope_value) / mean_value as excursion_ratio,
        -- limits are compared in whole millionths, so that a value on the limit passes
        round(1e6 * range_value / mean_value) <= round(1e6 * limits.steady_range) as is_range_kept,
        round(4e6 * abs(slope_value) / mean_value) <= round(1e6 * limits.steady_excursion) as is_excursion_kept,
        is_range_kept and is_excursion_kept as is_steady
    from summarised
    cross join limits
    where mean_value > 0

)

select * from final
