with parts as (

    select * from {{ ref('int_results_qualified') }}
    where is_part

),

combined as (

    select
        repetition_id,
        min(submission_id) as submission_id,
        min(configuration_id) as configuration_id,
        min(section) as section,
        case when count(*) = 1 then min(figure_id) end as figure_id,
        min(source_path) as source_path,
        min(source_sha256) as source_sha256,
        min(file_id) as file_id,
        min(source_pointer) as source_pointer,
        min(tool) as tool,
        case when min(tool_version) = max(tool_version) then min(tool_version) end as tool_version,
        case when min(engine) = max(engine) then min(engine) end as engine,
        case when min(is_direct) = max(is_direct) then min(is_direct) end as is_direct,
        max(target_count) as target_count,
        min(started_at) as started_at,
        max(ended_at) as ended_at,
        max(duration_seconds) as duration_seconds,
        max(ramp_seconds) as ramp_seconds,
        min(test_name) as test_name,
        min(repetition_index) as repetition_index,
        min(round_index) as round_index,
        case when count(*) = count(workload_id) and min(workload_id) = max(workload_id) then min(workload_id) end
            as workload_id,
        case when count(*) = count(workload_id) and min(workload_id) = max(workload_id) then min(load_profile) end
            as load_profile,
        min(access_pattern) as access_pattern,
        case when min(read_ratio) = max(read_ratio) then min(read_ratio) end as read_ratio,
        case
            when min(block_size_bytes) = max(block_size_bytes) and count(*) = count(block_size_bytes)
                then min(block_size_bytes)
        end as block_size_bytes,
        case when count(*) = 1 then min(operation) else 'mixed' end as operation,
        max(queue_depth) as queue_depth,
        max(queue_depth_per_drive) as queue_depth_per_drive,
        min(queue_depth_low) as queue_depth_low,
        max(queue_depth_high) as queue_depth_high,
        max(queue_depth_reached) as queue_depth_reached,
        bool_or(is_queue_depth_sought) as is_queue_depth_sought,
        min(load_basis) as load_basis,
        max(process_count) as process_count,
        min(statistic) as statistic,
        min(value_kind) as value_kind,
        max(unit_basis) as unit_basis,
        case when min(latency_kind) = max(latency_kind) then min(latency_kind) end as latency_kind,
        cast(sum(error_count) as bigint) as error_count,
        count(*) as part_count,
        bool_and(is_comparable) as is_comparable,
        bool_and(is_bound) as is_bound,
        -- what the steps of the parts may add up to
        sum(operations_resolution_per_second) as operations_resolution_per_second,
        sum(throughput_resolution_bytes_per_second) as throughput_resolution_bytes_per_second,
        max(latency_resolution_seconds) as latency_resolution_seconds,
        -- At most two directions run together, so their order cannot change these sums.
        case when count(*) = count(operations_per_second) then sum(operations_per_second) end as operations_measured,
        case
            when count(*) = count(throughput_bytes_per_second) then sum(throughput_bytes_per_second)
        end as throughput_measured,
        case
            when count(*) = count(latency_mean_seconds * operation_count)
                then sum(latency_mean_seconds * operation_count) / nullif(sum(operation_count), 0)
            when count(*) = count(latency_mean_seconds * operations_per_second)
                then sum(latency_mean_seconds * operations_per_second) / nullif(sum(operations_per_second), 0)
            when count(*) = 1 then min(latency_mean_seconds)
        end as latency_mean_seconds,
        max(operations_per_second) filter (where operation = 'read') as read_operations_per_second,
        max(operations_per_second) filter (where operation = 'write') as write_operations_per_second,
        max(throughput_bytes_per_second) filter (where operation = 'read') as read_throughput_bytes_per_second,
        max(throughput_bytes_per_second) filter (where operation = 'write') as write_throughput_bytes_per_second,
        max(latency_mean_seconds) filter (where operation = 'read') as read_latency_mean_seconds,
        max(latency_mean_seconds) filter (where operation = 'write') as write_latency_mean_seconds,
        case
            when count(*) = count(operation_count)
                then sum(operation_count) filter (where operation = 'read') / nullif(sum(operation_count), 0)
        end as measured_read_ratio
    from parts
    group by repetition_id

),

final as (

    select
        * exclude (operations_measured, throughput_measured),
        coalesce(operations_measured, throughput_measured / block_size_bytes) as operations_per_second,
        case
            when operations_measured is not null then 'measured'
            when throughput_measured / block_size_bytes is not null then 'derived'
        end as operations_origin,
        coalesce(throughput_measured, operations_measured * block_size_bytes) as throughput_bytes_per_second,
        case
            when throughput_measured is not null then 'measured'
            when operations_measured * block_size_bytes is not null then 'derived'
        end as throughput_origin
    from combined

)

select * from final
