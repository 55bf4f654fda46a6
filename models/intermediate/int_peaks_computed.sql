with rates as (

    select * from {{ ref('int_rates_unpivoted') }}

),

estimated as (

    select * from {{ ref('int_points_estimated') }}

),

points as (

    select * from {{ ref('int_points_admitted') }}
    where value_kind in ('lower_bound', 'upper_bound')

),

-- what a source prints as a bound is no point of the sweep, but the peak may be above it
printed as (

    {% for metric, origin, kind in [
        ('operations_per_second', 'operations_origin', 'operations_kind'),
        ('throughput_bytes_per_second', 'throughput_origin', 'throughput_kind'),
    ] %}
        select
            *,
            '{{ metric }}' as metric,
            {{ metric }} as rate_value
        from points
        where {{ origin }} = 'measured' and contains({{ kind }}, 'bound')
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

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
    from printed
    group by submission_id, configuration_id, section, workload_id, load_basis, metric

),

joined as (

    select
        rates.*,
        estimated.n,
        -- a window over one number is found sooner than one over six texts
        max(rates.rate_value) over (
            partition by
                hash(row(
                    rates.submission_id,
                    rates.configuration_id,
                    rates.section,
                    rates.workload_id,
                    rates.load_basis,
                    rates.metric
                ))
        ) as highest_value
    from rates
    inner join estimated on rates.point_id = estimated.point_id and rates.metric = estimated.metric

),

summarised as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        metric,
        min(load_profile) as load_profile,
        min(highest_value) as highest_value,
        min(queue_depth) filter (where rate_value = highest_value) as highest_queue_depth,
        min(queue_depth) as queue_depth_low,
        max(queue_depth) as queue_depth_high,
        array_to_string(list_sort(list(queue_depth)), ', ') as queue_depths,
        count(*) as depth_count,
        count(*) filter (where rate_value >= 0.95 * highest_value) as plateau_count,
        exp(avg(ln(rate_value) order by queue_depth) filter (where rate_value >= 0.95 * highest_value))
            as plateau_value,
        min(n) as n,
        min(repetition_count) as repetition_count,
        min(session_count) as session_count,
        min(first_started_at) as first_started_at,
        max(last_started_at) as last_started_at,
        {% for column in ['process_count', 'target_count', 'engine', 'is_direct', 'tool', 'tool_version'] %}
            case when min({{ column }}) = max({{ column }}) then min({{ column }}) end as {{ column }},
        {% endfor %}
        arg_min(value_kind, queue_depth) filter (where rate_value = highest_value) as value_kind,
        arg_min(unit_basis, queue_depth) filter (where rate_value = highest_value) as unit_basis
    from joined
    group by submission_id, configuration_id, section, workload_id, load_basis, metric

),

exceeded as (

    select
        summarised.*,
        coalesce(bounds.bound_value > highest_value, false) as is_exceeded,
        coalesce(bounds.least_value > highest_value, false) as is_raised,
        bounds.least_value,
        bounds.bound_queue_depth
    from summarised
    left join bounds
        on
            summarised.submission_id = bounds.submission_id
            and summarised.configuration_id = bounds.configuration_id
            and summarised.section = bounds.section
            and summarised.workload_id = bounds.workload_id
            and summarised.load_basis = bounds.load_basis
            and summarised.metric = bounds.metric

),

final as (

    select
        * exclude (plateau_value, is_exceeded, is_raised, least_value, bound_queue_depth) replace (
            case when is_raised then 'lower_bound' else value_kind end as value_kind
        ),
        case when is_raised then least_value else highest_value end as peak_value,
        case when is_raised then bound_queue_depth else highest_queue_depth end as queue_depth,
        round(plateau_value, 12) as plateau_value,
        case when is_raised then 0 end as low_half,
        case when is_exceeded then cast('inf' as double) end as high_half,
        case when is_raised then least_value when is_exceeded then highest_value end as low,
        cast(null as double) as high,
        case when is_raised or is_exceeded then 'bound' else 'none' end as kind,
        highest_queue_depth = queue_depth_high as is_peak_at_edge
    from exceeded

)

select * from final
