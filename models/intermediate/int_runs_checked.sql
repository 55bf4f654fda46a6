with parts as (

    select * from {{ ref('int_results_qualified') }}
    where is_part

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

storage as (

    select * from {{ ref('int_storage_rated') }}

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
        max(limit_value) filter (where limit_id = 'little_fits_roughly') as little_fits_roughly,
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

combined as (

    select
        repetition_id,
        -- reads and writes of a run share its processes
        max(cpu_user_ratio) as cpu_user_ratio,
        max(cpu_system_ratio) as cpu_system_ratio,
        max(cpu_busy_ratio) as cpu_busy_ratio,
        max(duration_seconds) as duration_seconds,
        cast(sum(operation_count) as bigint) as operation_count,
        max(latency_max_seconds) as latency_max_seconds,
        coalesce(
            bool_or(operation in ('write', 'trim') or (operation = 'mixed' and read_ratio is distinct from 1)), false
        ) as has_writes,
        bool_or(is_steady_state_attained) as is_steady_state_attained,
        bool_or(
            regexp_matches(coalesce(engine, ''), 'spdk|libpmem|dev-dax|mmap|cpuio')
            or regexp_matches(
                coalesce(job_options, ''), '"(hipri|sqthread_poll|thinktime_spin)": ?"([^0f"][^"]*)?"'
            )
            or regexp_matches(coalesce(job_options, ''), '"iodepth_batch_complete(_min)?": ?"0"')
        ) as is_polling,
        bool_and(is_direct) as is_direct,
        cast(sum(error_count) as bigint) as error_count,
        max(error_code) as error_code,
        coalesce(bool_or(outcome = 'error'), false) as has_failed
    from parts
    group by repetition_id

),

runs as (

    select
        combined.*,
        repetitions.read_ratio,
        repetitions.measured_read_ratio,
        repetitions.part_count,
        repetitions.throughput_bytes_per_second,
        storage.measurement_area_bytes,
        storage.measurement_area_ratio,
        storage.memory_bytes,
        -- what the file says wins; the manifest fills the gap
        coalesce(not combined.is_direct, storage.cache_bypass = 'buffered') as is_buffered,
        combined.is_steady_state_attained or storage.steady_state_class in ('fio', 'pts') as is_steady_state_known,
        storage.highest_temperature_kelvin,
        storage.throttle_temperature_kelvin,
        storage.line_bytes_per_second,
        storage.is_below_offered
    from combined
    inner join repetitions on combined.repetition_id = repetitions.repetition_id
    left join storage
        on
            repetitions.submission_id = storage.submission_id
            and repetitions.configuration_id = storage.configuration_id

),

described as (

    select
        *,
        value_kind in ('upper_bound', 'range') as is_ceiling,
        list_filter(
            [
                case when value_kind = 'lower_bound' then 'the rate is a lower bound' end,
                case when value_kind = 'approximate' then 'approximate figure' end,
                case when latency_kind is null then 'kind of latency unknown' end,
                case when latency_kind <> 'total' then concat('latency is ', latency_kind, ', not total') end,
                case
                    when operation in ('read', 'write') and read_ratio > 0 and read_ratio < 1
                        then concat('latency of the ', operation, 's alone in a mixed load')
                end
            ],
            lambda reason: reason is not null
        ) as reservations
    from repetitions
    where
        workload_id is not null
        and queue_depth is not null
        and is_queue_depth_sought is not true
        and statistic in ('point', 'plateau', 'mean', 'median')
        and coalesce(load_basis, 'outstanding') in ('outstanding', 'outstanding_per_drive')

),

reached as (

    select
        repetition_id,
        is_ceiling,
        reservations,
        -- rounded, so that a ratio on the limit does not miss it by the last bit
        round(operations_per_second * latency_mean_seconds / queue_depth, 12) as achieved_depth_ratio,
        operations_per_second * latency_mean_seconds / queue_depth - 1 as residual_ratio,
        -- a tool that counts what it timed in full tells what was outstanding; a printed figure is rounded
        len(reservations) = 0 and not is_ceiling and coalesce(tool, '') <> 'published' as is_depth_counted
    from described
    where operations_per_second > 0 and latency_mean_seconds is not null

),

residuals as (

    select
        reached.repetition_id,
        reached.achieved_depth_ratio,
        reached.is_depth_counted,
        case
            when reached.is_ceiling then 'cannot be judged'
            when round(abs(reached.residual_ratio), 12) <= limits.little_fits then 'fits'
            when round(abs(reached.residual_ratio), 12) <= limits.little_fits_roughly or len(reached.reservations) > 0
                then 'fits roughly'
            else 'does not fit'
        end as verdict,
        if(reached.is_ceiling, ['the rate is an upper bound'], reached.reservations) as reasons
    from reached
    cross join limits

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
        [] as reasons
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
                then ['the generator was bound']
            else []
        end as reasons
    from measured
    where is_depth_counted
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
    where not is_depth_counted
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
        [] as reasons
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
        [] as reasons
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
        [] as reasons
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
        [] as reasons
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
        [] as reasons
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
        [] as reasons
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
        [] as reasons
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
        [] as reasons
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
        [] as reasons
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
        [] as reasons
    from measured
    where error_count > 0 or error_code <> 0 or has_failed

)

select * from final
