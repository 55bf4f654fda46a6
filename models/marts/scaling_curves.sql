with scaling as (

    select * from {{ ref('scaling') }}

),

at_equal_load as (

    select
        *,
        case when basis <> 'peak' then queue_depth_per_drive end as curve_depth,
        case when basis = 'peak' then 'peak' else format('{:.6g}', queue_depth_per_drive) end as load_text
    from scaling
    where basis = 'peak' or starts_with(basis, 'queue_depth_per_drive=')

),

summarised as (

    select
        submission_id,
        workload_id,
        min(load_profile) as load_profile,
        metric,
        min(topology) as topology,
        min(drive_count) as drive_count,
        array_configuration_id,
        array_section,
        base_configuration_id,
        base_section,
        min(device_id) as device_id,
        min(device) as device,
        count(*) as load_count,
        string_agg(
            concat(load_text, ': ', format('{:.4g}', factor_ratio)), '; ' order by curve_depth asc nulls last
        ) as curve,
        min(ideal_ratio) as ideal_ratio,
        min(factor_ratio) as lowest_ratio,
        max(factor_ratio) as highest_ratio,
        median(factor_ratio) as median_ratio,
        max(factor_ratio) / min(factor_ratio) as spread_ratio
    from at_equal_load
    group by
        submission_id,
        workload_id,
        metric,
        array_configuration_id,
        array_section,
        base_configuration_id,
        base_section

),

final as (

    select
        * exclude (median_ratio),
        case when spread_ratio <= 1.2 then median_ratio end as factor_ratio,
        case when spread_ratio <= 1.2 then median_ratio / ideal_ratio end as efficiency_ratio
    from summarised

)

select * from final
