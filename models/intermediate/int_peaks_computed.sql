with rates as (

    select * from {{ ref('int_rates_unpivoted') }}

),

ranked as (

    select
        *,
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id, metric
            order by rate_value desc, queue_depth asc
        ) as rank_index,
        max(rate_value) over (
            partition by submission_id, configuration_id, section, workload_id, metric
        ) as peak_value
    from rates
    where load_basis = 'outstanding'

),

final as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        metric,
        min(load_profile) as load_profile,
        min(peak_value) as peak_value,
        min(queue_depth) filter (where rank_index = 1) as queue_depth,
        min(queue_depth) as queue_depth_low,
        max(queue_depth) as queue_depth_high,
        string_agg(cast(queue_depth as varchar), ', ' order by queue_depth) as queue_depths,
        count(*) as depth_count,
        min(repetition_count) as repetition_count,
        min(queue_depth) filter (where rank_index = 1) = max(queue_depth) as is_peak_at_edge,
        avg(rate_value order by queue_depth) filter (where rate_value >= 0.95 * peak_value) as plateau_value,
        min(value_kind) filter (where rank_index = 1) as value_kind,
        min(unit_basis) filter (where rank_index = 1) as unit_basis,
        case when min(process_count) = max(process_count) then min(process_count) end as process_count
    from ranked
    group by submission_id, configuration_id, section, workload_id, metric

)

select * from final
