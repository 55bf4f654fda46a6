with repetitions as (

    select * from {{ ref('int_repetitions_placed') }}

),

figures as (

    select * from {{ ref('int_figures_bounded') }}

),

joined as (

    select
        repetitions.*,
        coalesce(repetitions.throughput_bytes_per_second, figures.throughput_as_printed) as throughput_as_printed,
        figures.low_half as printed_low_half,
        figures.high_half as printed_high_half
    from repetitions
    left join figures
        on repetitions.submission_id = figures.submission_id and repetitions.figure_id = figures.figure_id

),

unpivoted as (

    select
        point_id,
        repetition_id,
        repetition_order,
        session_index,
        started_at,
        is_bound,
        value_kind,
        unit_basis,
        printed_low_half,
        printed_high_half,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
        unnest([
            operations_per_second, throughput_as_printed, latency_mean_seconds
        ]) as point_value,
        unnest([
            operations_resolution_per_second, throughput_resolution_bytes_per_second, latency_resolution_seconds
        ]) / 2 as half_step
    from joined

),

final as (

    select
        * exclude (printed_low_half, printed_high_half, half_step),
        coalesce(
            printed_low_half,
            case
                when half_step >= point_value then cast('infinity' as double) else -ln(1 - half_step / point_value)
            end
        ) as low_half,
        coalesce(printed_high_half, ln(1 + half_step / point_value)) as high_half
    from unpivoted
    where point_value > 0

)

select * from final
