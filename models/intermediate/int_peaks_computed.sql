{{ config(materialized='table') }}

{% set series = ['submission_id', 'configuration_id', 'section', 'workload_id', 'load_basis', 'metric'] %}

with estimated as (

    select * from {{ ref('int_points_estimated') }}
    where not is_excluded

),

excluded as (

    select repetition_id
    from {{ ref('int_reservations_matched') }}
    where effect = 'X'

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
        {{ series | join(', ') }},
        max(rate_value) as bound_value,
        max(rate_value) filter (where value_kind = 'lower_bound') as least_value,
        -- of equal bounds the lowest depth
        arg_max(queue_depth, (rate_value, -queue_depth)) filter (where value_kind = 'lower_bound')
            as bound_queue_depth
    from measured
    where is_open and value_kind in ('lower_bound', 'upper_bound')
    group by {{ series | join(', ') }}

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
        {{ series | join(', ') }},
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
    group by {{ series | join(', ') }}

),

plateaus as (

    select distinct
        submission_id,
        configuration_id,
        section,
        workload_id
    from {{ ref('repetitions') }}
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
    inner join {{ ref('int_workloads_identified') }} as workloads using (workload_id)
    left join bounds using ({{ series | join(', ') }})
    left join plateaus using (submission_id, configuration_id, section, workload_id)

),

computed as (

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

),

-- one peak that a source states per series: the largest, and a bound only where no value is stated
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
    from {{ ref('repetitions') }} as repetitions
    left join {{ ref('int_figures_admitted') }} as figures using (submission_id, figure_id)
    anti join excluded using (repetition_id)
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

printed as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        'outstanding' as load_basis,
        metric,
        load_profile,
        peak_value,
        case when isinf(low_half) then null else round(peak_value * exp(-low_half), 12) end as low,
        case when isinf(high_half) then null else round(peak_value * exp(high_half), 12) end as high,
        case
            when low_half is null then 'none'
            when isinf(low_half) or isinf(high_half) then 'bound'
            else 'rounding'
        end as kind,
        low_half,
        high_half,
        queue_depth,
        queue_depth_low,
        queue_depth_high,
        value_kind,
        unit_basis,
        process_count,
        target_count,
        engine,
        is_direct,
        tool,
        tool_version
    from ranked
    where rank_index = 1

),

-- what a source states as its peak stands before what its printed points reach: it measured more than it prints
final as (

    select
        {% for column in series %}
            {{ column }},
        {% endfor %}
        computed.* exclude ({{ series | join(', ') }}) replace (
            {% for column in [
                'load_profile', 'peak_value', 'low_half', 'high_half', 'low', 'high', 'kind', 'queue_depth',
                'queue_depth_low', 'queue_depth_high', 'value_kind', 'unit_basis', 'process_count', 'target_count',
                'engine', 'is_direct', 'tool', 'tool_version',
            ] %}
                if(printed.peak_value is null, computed.{{ column }}, printed.{{ column }}) as {{ column }},
            {% endfor %}
            {% for column in [
                'n', 'run_count', 'session_count', 'is_peak_at_edge', 'plateau_value',
                'plateau_count', 'queue_depths', 'first_started_at', 'last_started_at',
            ] %}
                if(printed.peak_value is null, computed.{{ column }}, null) as {{ column }},
            {% endfor %}
        ),
        if(printed.peak_value is null, 'computed', 'stated') as peak_origin,
        left(md5(concat_ws(' ', 'peak', {{ series | join(', ') }})), 16) as peak_id
    from computed
    full join printed using ({{ series | join(', ') }})

)

select * from final
