{{ config(materialized='table') }}

with rates as (

    select * from {{ ref('int_rates_unpivoted') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

plateaus as (

    select distinct
        submission_id,
        configuration_id,
        section,
        workload_id
    from repetitions
    where statistic = 'plateau' and is_comparable

),

series as (

    select
        *,
        max(rate_value) over whole_series as peak_value,
        lag(rate_value) over by_depth as previous_value,
        lag(queue_depth) over by_depth as previous_depth
    from rates
    window
        whole_series as (
            partition by submission_id, configuration_id, section, workload_id, load_basis, metric
        ),
        by_depth as (
            partition by submission_id, configuration_id, section, workload_id, load_basis, metric
            order by queue_depth
        )

),

summarised as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        min(load_profile) as load_profile,
        load_basis,
        metric,
        min(device_id) as device_id,
        min(device) as device,
        min(peak_value) as peak_value,
        count(*) as depth_count,
        min(repetition_count) as repetition_count,
        min(queue_depth) as queue_depth_low,
        max(queue_depth) as queue_depth_high,
        min(queue_depth) filter (where rate_value = peak_value) as queue_depth_peak,
        min(queue_depth) filter (where rate_value >= 0.95 * peak_value) as queue_depth_knee,
        arg_max(rate_value, queue_depth) / arg_max(previous_value, queue_depth) as last_step_ratio
    from series
    group by submission_id, configuration_id, section, workload_id, load_basis, metric

),

dips as (

    select
        summarised.submission_id,
        summarised.configuration_id,
        summarised.section,
        summarised.workload_id,
        summarised.load_basis,
        summarised.metric,
        string_agg(series.queue_depth, ', ' order by series.queue_depth) filter (
            where series.rate_value < series.previous_value and series.queue_depth <= summarised.queue_depth_peak
        ) as queue_depths_falling,
        max(series.previous_depth) filter (where series.queue_depth = summarised.queue_depth_knee) as queue_depth_before
    from summarised
    inner join series
        on
            summarised.submission_id = series.submission_id
            and summarised.configuration_id = series.configuration_id
            and summarised.section = series.section
            and summarised.workload_id = series.workload_id
            and summarised.load_basis = series.load_basis
            and summarised.metric = series.metric
    group by
        summarised.submission_id,
        summarised.configuration_id,
        summarised.section,
        summarised.workload_id,
        summarised.load_basis,
        summarised.metric

),

judged as (

    select
        summarised.*,
        dips.queue_depths_falling,
        dips.queue_depth_before,
        case
            when summarised.depth_count < 3 then 'sweep_too_short'
            when plateaus.submission_id is not null then 'saturated'
            when
                summarised.queue_depth_peak = summarised.queue_depth_high and summarised.last_step_ratio > 1.05
                then 'not_saturated'
            else 'saturated'
        end as verdict
    from summarised
    inner join dips
        on
            summarised.submission_id = dips.submission_id
            and summarised.configuration_id = dips.configuration_id
            and summarised.section = dips.section
            and summarised.workload_id = dips.workload_id
            and summarised.load_basis = dips.load_basis
            and summarised.metric = dips.metric
    left join plateaus
        on
            summarised.submission_id = plateaus.submission_id
            and summarised.configuration_id = plateaus.configuration_id
            and summarised.section = plateaus.section
            and summarised.workload_id = plateaus.workload_id

),

final as (

    select
        * exclude (queue_depth_knee, queue_depth_before),
        case when verdict = 'saturated' then queue_depth_knee end as queue_depth_knee,
        case when verdict = 'saturated' then queue_depth_before end as queue_depth_before,
        queue_depths_falling is null as is_monotonic
    from judged

)

select * from final
