with loads as (

    select * from {{ ref('int_loads_paired') }}

),

workloads as (

    select * from {{ ref('workloads') }}

),

based as (

    select
        loads.*,
        workloads.read_ratio,
        case
            when loads.array_is_peak and loads.base_is_peak then 'peak'
            when loads.array_queue_depth_per_drive = loads.base_queue_depth_per_drive
                then concat('queue_depth_per_drive=', format('{:.6g}', loads.array_queue_depth_per_drive))
            when loads.array_queue_depth = loads.base_queue_depth
                then concat('queue_depth=', loads.array_queue_depth)
            else
                concat(
                    'stated, queue depth ',
                    coalesce(cast(loads.array_queue_depth as varchar), 'that of the peak'),
                    ' against ',
                    coalesce(cast(loads.base_queue_depth as varchar), 'that of the peak')
                )
        end as basis
    from loads
    inner join workloads on loads.workload_id = workloads.workload_id

),

idealised as (

    select
        *,
        array_value / base_value as factor_ratio,
        case topology
            when 'independent' then drive_count
            when 'raid0' then drive_count
            when 'raid1' then drive_count / (read_ratio + drive_count * (1 - read_ratio))
            when 'raid10' then drive_count / (read_ratio + 2 * (1 - read_ratio))
        end as ideal_ratio
    from based

),

final as (

    select
        submission_id,
        workload_id,
        load_profile,
        metric,
        topology,
        drive_count,
        basis,
        array_queue_depth_per_drive as queue_depth_per_drive,
        array_queue_depth as queue_depth,
        base_queue_depth,
        array_configuration_id,
        array_section,
        base_configuration_id,
        base_section,
        device_id,
        device,
        array_value,
        base_value,
        factor_ratio,
        cast(ideal_ratio as double) as ideal_ratio,
        factor_ratio / ideal_ratio as efficiency_ratio,
        factor_ratio > 1.05 * ideal_ratio as is_superlinear,
        stated_factor_ratio,
        stated_factor_text,
        claim_id,
        array_value / stated_factor_ratio as implied_base_value,
        concat_ws(
            '; ',
            case when array_section <> base_section then 'numbers from different sections' end,
            case
                when array_queue_depth_per_drive <> base_queue_depth_per_drive
                    then
                        concat(
                            'queue depth per drive differs: ',
                            format('{:.6g}', array_queue_depth_per_drive),
                            ' against ',
                            format('{:.6g}', base_queue_depth_per_drive)
                        )
            end,
            case when array_is_peak <> base_is_peak then 'a peak against a single queue depth' end,
            case when 'approximate' in (array_value_kind, base_value_kind) then 'approximate figures' end,
            differences,
            case
                when coalesce(array_process_count, 0) <> coalesce(base_process_count, 0)
                    then 'process count differs or is unknown'
            end
        ) as reasons
    from idealised

)

select * from final
