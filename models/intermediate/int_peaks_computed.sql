{{ config(materialized='table') }}

with estimated as (

    select * from {{ ref('int_points_estimated') }}
    where not is_excluded

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

-- what holds of all numbers of a point
counted as (

    select
        point_id,
        min(run_count) as run_count,
        min(session_count) as session_count,
        min(first_started_at) as first_started_at,
        max(last_started_at) as last_started_at,
        min(value_kind) as value_kind,
        max(unit_basis) as unit_basis
    from estimated
    group by point_id

),

-- a rate that was derived from the other by the block size gives the same quotients, so it is not compared again
measured as (

    select
        estimated.* exclude (
            run_count, session_count, first_started_at, last_started_at, value_kind, unit_basis, highest_value
        ),
        counted.* exclude (point_id),
        estimated.point_value as rate_value,
        contains(estimated.kind, 'bound') as is_open
    from estimated
    inner join counted on estimated.point_id = counted.point_id
    where estimated.metric <> 'latency_mean_seconds' and estimated.unit_basis <> 'unknown'

),

-- what a source prints as a bound is no point of the sweep, but the peak may be above it
bounds as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        metric,
        max(rate_value) as bound_value,
        max(rate_value) filter (where value_kind = 'lower_bound') as least_value,
        -- of equal bounds the lowest depth
        arg_max(queue_depth, (rate_value, -queue_depth)) filter (where value_kind = 'lower_bound')
            as bound_queue_depth
    from measured
    where is_open and value_kind in ('lower_bound', 'upper_bound')
    group by submission_id, configuration_id, section, workload_id, load_basis, metric

),

-- a window over one number is found sooner than one over six texts
numbered as (

    select
        *,
        hash(row(submission_id, configuration_id, section, workload_id, load_basis, metric)) as series_id
    from measured
    where not is_open

),

stepped as (

    select
        *,
        max(rate_value) over (partition by series_id) as highest_value,
        lag(rate_value) over by_depth as previous_value,
        lag(queue_depth) over by_depth as previous_depth
    from numbered
    window by_depth as (partition by series_id order by queue_depth)

),

series as (

    select
        *,
        min(case when rate_value = highest_value then queue_depth end) over whole_series as highest_queue_depth,
        min(case when rate_value >= 0.95 * highest_value then queue_depth end) over whole_series as knee_depth
    from stepped
    window whole_series as (partition by series_id)

),

summarised as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        metric,
        min(highest_value) as highest_value,
        min(highest_queue_depth) as highest_queue_depth,
        min(queue_depth) as queue_depth_low,
        max(queue_depth) as queue_depth_high,
        list_sort(list(queue_depth)) as queue_depths,
        count(*) as depth_count,
        count(*) filter (where rate_value >= 0.95 * highest_value) as plateau_count,
        exp(avg(ln(rate_value) order by queue_depth) filter (where rate_value >= 0.95 * highest_value))
            as plateau_value,
        min(knee_depth) as knee_depth,
        max(previous_depth) filter (where queue_depth = knee_depth) as depth_before_knee,
        arg_max(rate_value, queue_depth) / arg_max(previous_value, queue_depth) as last_step_ratio,
        list(queue_depth order by queue_depth) filter (
            where rate_value < previous_value and queue_depth <= highest_queue_depth
        ) as falling,
        min(n) as n,
        min(run_count) as run_count,
        min(session_count) as session_count,
        min(first_started_at) as first_started_at,
        max(last_started_at) as last_started_at,
        {% for column in ['process_count', 'target_count', 'engine', 'is_direct', 'tool', 'tool_version'] %}
            case when min({{ column }}) = max({{ column }}) then min({{ column }}) end as {{ column }},
        {% endfor %}
        arg_min(value_kind, queue_depth) filter (where rate_value = highest_value) as value_kind,
        arg_min(unit_basis, queue_depth) filter (where rate_value = highest_value) as unit_basis
    from series
    group by submission_id, configuration_id, section, workload_id, load_basis, metric

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

judged as (

    select
        summarised.*,
        workloads.load_profile,
        coalesce(bounds.bound_value > summarised.highest_value, false) as is_exceeded,
        coalesce(bounds.least_value > summarised.highest_value, false) as is_raised,
        bounds.least_value,
        bounds.bound_queue_depth,
        case
            when summarised.depth_count < 3 then 'sweep_too_short'
            when
                plateaus.submission_id is null
                and summarised.highest_queue_depth = summarised.queue_depth_high
                and summarised.last_step_ratio > 1.05
                then 'not_saturated'
            -- 95 % of the highest point are no 95 % of a peak that is above it
            when is_exceeded then 'not_saturated'
            else 'saturated'
        end as knee_verdict
    from summarised
    inner join workloads on summarised.workload_id = workloads.workload_id
    left join bounds
        on
            summarised.submission_id = bounds.submission_id
            and summarised.configuration_id = bounds.configuration_id
            and summarised.section = bounds.section
            and summarised.workload_id = bounds.workload_id
            and summarised.load_basis = bounds.load_basis
            and summarised.metric = bounds.metric
    left join plateaus
        on
            summarised.submission_id = plateaus.submission_id
            and summarised.configuration_id = plateaus.configuration_id
            and summarised.section = plateaus.section
            and summarised.workload_id = plateaus.workload_id

),

final as (

    select
        * exclude (
            falling, plateau_value, is_exceeded, is_raised, least_value, bound_queue_depth, knee_depth,
            depth_before_knee
        ) replace (
            case when is_raised then 'lower_bound' else value_kind end as value_kind
        ),
        case when is_raised then least_value else highest_value end as peak_value,
        case when is_raised then bound_queue_depth else highest_queue_depth end as queue_depth,
        round(plateau_value, 12) as plateau_value,
        case when is_raised then 0 end as low_half,
        case when is_exceeded then cast('inf' as double) end as high_half,
        case when is_raised then least_value when is_exceeded then highest_value end as low,
        cast(null as double) as high,
        case when is_exceeded then 'bound' else 'none' end as kind,
        highest_queue_depth = queue_depth_high as is_peak_at_edge,
        case when knee_verdict = 'saturated' then knee_depth end as queue_depth_knee,
        case when knee_verdict = 'saturated' then depth_before_knee end as queue_depth_before,
        coalesce(falling, []) as queue_depths_falling,
        falling is null as is_monotonic
    from judged

)

select * from final
