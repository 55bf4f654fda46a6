with repetitions as (

    select * from {{ ref('repetitions') }}

),

figures as (

    select * from {{ ref('int_figures_bounded') }}

),

excluded as (

    select distinct repetition_id
    from {{ ref('int_reservations_matched') }}
    where effect = 'X'

),

stated as (

    select
        repetitions.*,
        figures.low_half,
        figures.high_half,
        unnest(['operations_per_second', 'throughput_bytes_per_second']) as metric,
        unnest([
            case when operations_origin = 'measured' then operations_per_second end,
            case when throughput_origin = 'measured' then throughput_bytes_per_second end
        ]) as peak_value
    from repetitions
    left join figures
        on repetitions.submission_id = figures.submission_id and repetitions.figure_id = figures.figure_id
    anti join excluded on repetitions.repetition_id = excluded.repetition_id
    where
        (repetitions.is_comparable or repetitions.is_bound)
        and repetitions.statistic = 'peak'
        and repetitions.workload_id is not null
        and coalesce(repetitions.load_basis, 'outstanding') in ('outstanding', 'outstanding_per_drive')

),

ranked as (

    select
        *,
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id, metric
            order by is_bound asc, peak_value desc, repetition_id asc
        ) as rank_index
    from stated
    where peak_value is not null

),

final as (

    select
        * exclude (rank_index),
        case when isinf(low_half) then null else round(peak_value * exp(-low_half), 12) end as low,
        case when isinf(high_half) then null else round(peak_value * exp(high_half), 12) end as high,
        case
            when low_half is null then 'none'
            when isinf(low_half) or isinf(high_half) then 'bound'
            else 'rounding'
        end as kind
    from ranked
    where rank_index = 1

)

select * from final
