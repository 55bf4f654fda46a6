with runs as (

    select * from {{ ref('int_runs_measured') }}

),

residuals as (

    select * from {{ ref('int_residuals_computed') }}

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'generator_bound') as generator_bound,
        max(limit_value) filter (where limit_id = 'generator_near') as generator_near,
        max(limit_value) filter (where limit_id = 'depth_reached') as depth_reached,
        max(limit_value) filter (where limit_id = 'depth_nearly_reached') as depth_nearly_reached,
        max(limit_value) filter (where limit_id = 'little_fits') as little_fits,
        max(limit_value) filter (where limit_id = 'latency_cut') as latency_cut,
        max(limit_value) filter (where limit_id = 'short_run') as short_run,
        max(limit_value) filter (where limit_id = 'short_writing_run') as short_writing_run,
        max(limit_value) filter (where limit_id = 'short_run_operations') as short_run_operations,
        max(limit_value) filter (where limit_id = 'try_out_run') as try_out_run,
        max(limit_value) filter (where limit_id = 'try_out_area') as try_out_area,
        max(limit_value) filter (where limit_id = 'small_area') as small_area,
        max(limit_value) filter (where limit_id = 'small_area_of_capacity') as small_area_of_capacity,
        max(limit_value) filter (where limit_id = 'memory_multiple') as memory_multiple,
        max(limit_value) filter (where limit_id = 'link_share') as link_share,
        max(limit_value) filter (where limit_id = 'mix_difference') as mix_difference
    from known_limits

),

-- Every quantity is rounded, so that one on its limit does not miss it by the last bit.
measured as (

    select
        runs.*,
        limits.*,
        case
            -- a process that polls is busy by design, so that its share says nothing
            when runs.is_polling is not true
                then round(coalesce(runs.cpu_busy_ratio, runs.cpu_user_ratio + runs.cpu_system_ratio), 12)
        end as processor_ratio,
        round(runs.latency_max_seconds / runs.duration_seconds, 12) as longest_ratio,
        if(
            runs.has_writes and runs.is_steady_state_known is not true, limits.short_writing_run, limits.short_run
        ) as least_seconds,
        round(runs.measurement_area_bytes / nullif(runs.memory_bytes, 0), 12) as area_to_memory_ratio,
        round(runs.throughput_bytes_per_second / runs.line_bytes_per_second, 12) as line_share_ratio,
        round(abs(runs.measured_read_ratio - runs.read_ratio), 12) as mix_difference_ratio,
        residuals.achieved_depth_ratio,
        residuals.is_depth_counted,
        residuals.verdict as residual_verdict,
        residuals.reasons
    from runs
    left join residuals on runs.repetition_id = residuals.repetition_id
    cross join limits

),

final as (

    select
        repetition_id,
        'generator' as check_name,
        'processor_ratio' as quantity_name,
        null as metric,
        processor_ratio as quantity_value,
        generator_bound as limit_value,
        'ratio' as unit,
        case
            when processor_ratio >= generator_bound then 'generator bound'
            when processor_ratio >= generator_near then 'generator near its limit'
            when processor_ratio is null then 'generator unknown'
            else 'generator cleared'
        end as verdict,
        case when processor_ratio >= generator_bound then 'B' end as effect,
        coalesce(processor_ratio >= generator_bound, false) as is_lower_bound,
        '' as reasons
    from measured
    union all
    select
        repetition_id,
        'depth' as check_name,
        'achieved_depth_ratio' as quantity_name,
        null as metric,
        achieved_depth_ratio as quantity_value,
        depth_nearly_reached as limit_value,
        'ratio' as unit,
        case
            when achieved_depth_ratio >= depth_reached then 'depth reached'
            when achieved_depth_ratio >= depth_nearly_reached then 'depth nearly reached'
            when processor_ratio >= generator_bound then 'depth not judged'
            else 'depth not reached'
        end as verdict,
        case
            when achieved_depth_ratio < depth_nearly_reached and (processor_ratio >= generator_bound) is not true
                then 'X'
        end as effect,
        false as is_lower_bound,
        case
            when achieved_depth_ratio < depth_nearly_reached and processor_ratio >= generator_bound
                then 'the generator was bound'
            else ''
        end as reasons
    from measured
    where is_depth_counted and achieved_depth_ratio is not null
    union all
    select
        repetition_id,
        'littles law' as check_name,
        'achieved_depth_ratio' as quantity_name,
        null as metric,
        achieved_depth_ratio as quantity_value,
        1 + little_fits as limit_value,
        'ratio' as unit,
        residual_verdict as verdict,
        null as effect,
        false as is_lower_bound,
        reasons
    from measured
    where not is_depth_counted and achieved_depth_ratio is not null
    union all
    select
        repetition_id,
        'latency cut' as check_name,
        'longest_latency_ratio' as quantity_name,
        'latency_mean_seconds' as metric,
        longest_ratio as quantity_value,
        latency_cut as limit_value,
        'ratio' as unit,
        if(longest_ratio >= latency_cut, 'latency cut by the run', 'latency within the run') as verdict,
        case when longest_ratio >= latency_cut then 'X' end as effect,
        false as is_lower_bound,
        '' as reasons
    from measured
    where longest_ratio is not null
    union all
    select
        repetition_id,
        'short run' as check_name,
        'duration_seconds' as quantity_name,
        null as metric,
        duration_seconds as quantity_value,
        least_seconds as limit_value,
        'seconds' as unit,
        case
            when duration_seconds < try_out_run then 'try-out'
            when duration_seconds < least_seconds then 'short run'
            else 'long enough'
        end as verdict,
        case when duration_seconds < try_out_run then 'C' when duration_seconds < least_seconds then 'B' end as effect,
        false as is_lower_bound,
        '' as reasons
    from measured
    where duration_seconds is not null
    union all
    select
        repetition_id,
        'short run' as check_name,
        'operation_count' as quantity_name,
        null as metric,
        operation_count as quantity_value,
        short_run_operations as limit_value,
        'count' as unit,
        'short run' as verdict,
        'B' as effect,
        false as is_lower_bound,
        '' as reasons
    from measured
    where operation_count < short_run_operations
    union all
    select
        repetition_id,
        'small area' as check_name,
        'measurement_area_bytes' as quantity_name,
        null as metric,
        measurement_area_bytes as quantity_value,
        small_area as limit_value,
        'bytes' as unit,
        if(measurement_area_bytes < try_out_area, 'try-out', 'small area') as verdict,
        if(measurement_area_bytes < try_out_area, 'C', 'B') as effect,
        false as is_lower_bound,
        '' as reasons
    from measured
    where measurement_area_bytes <= small_area
    union all
    select
        repetition_id,
        'small area' as check_name,
        'measurement_area_ratio' as quantity_name,
        null as metric,
        measurement_area_ratio as quantity_value,
        small_area_of_capacity as limit_value,
        'ratio' as unit,
        'small area' as verdict,
        'B' as effect,
        false as is_lower_bound,
        '' as reasons
    from measured
    where measurement_area_ratio <= small_area_of_capacity
    union all
    select
        repetition_id,
        'memory' as check_name,
        'area_to_memory_ratio' as quantity_name,
        null as metric,
        area_to_memory_ratio as quantity_value,
        memory_multiple as limit_value,
        'ratio' as unit,
        'served by memory' as verdict,
        'X' as effect,
        false as is_lower_bound,
        '' as reasons
    from measured
    where is_buffered and area_to_memory_ratio < memory_multiple
    union all
    select
        repetition_id,
        'throttled' as check_name,
        'highest_temperature_kelvin' as quantity_name,
        null as metric,
        highest_temperature_kelvin as quantity_value,
        throttle_temperature_kelvin as limit_value,
        'kelvin' as unit,
        'throttled' as verdict,
        'B' as effect,
        true as is_lower_bound,
        '' as reasons
    from measured
    where highest_temperature_kelvin >= throttle_temperature_kelvin
    union all
    select
        repetition_id,
        'link' as check_name,
        'line_share_ratio' as quantity_name,
        null as metric,
        line_share_ratio as quantity_value,
        link_share as limit_value,
        'ratio' as unit,
        if(is_below_offered and line_share_ratio > link_share, 'link limited', 'link not limiting') as verdict,
        case when is_below_offered and line_share_ratio > link_share then 'B' end as effect,
        is_below_offered and line_share_ratio > link_share as is_lower_bound,
        '' as reasons
    from measured
    where is_below_offered is not null and line_share_ratio is not null
    union all
    select
        repetition_id,
        'mix' as check_name,
        'mix_difference_ratio' as quantity_name,
        null as metric,
        mix_difference_ratio as quantity_value,
        mix_difference as limit_value,
        'ratio' as unit,
        if(mix_difference_ratio > mix_difference, 'mix differs', 'mix as configured') as verdict,
        case when mix_difference_ratio > mix_difference then 'X' end as effect,
        false as is_lower_bound,
        '' as reasons
    from measured
    where part_count > 1 and mix_difference_ratio is not null
    union all
    select
        repetition_id,
        'errors' as check_name,
        'error_count' as quantity_name,
        null as metric,
        error_count as quantity_value,
        0 as limit_value,
        'count' as unit,
        'failed' as verdict,
        'X' as effect,
        false as is_lower_bound,
        '' as reasons
    from measured
    where error_count > 0 or error_code <> 0 or has_failed

)

select * from final
