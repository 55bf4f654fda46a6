{{ config(materialized='table') }}

with parts as (

    select * from {{ ref('int_parts_selected') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

storage as (

    select * from {{ ref('int_storage_rated') }}

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

final as (

    select
        combined.*,
        repetitions.submission_id,
        repetitions.configuration_id,
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

)

select * from final
