{{ config(materialized='table') }}

with operands as (

    select * from {{ ref('int_operands_listed') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

workloads as (

    select * from {{ ref('workloads') }}

),

described as (

    select
        operands.*,
        configurations.device_id,
        configurations.device,
        configurations.media_class,
        configurations.conditions,
        configurations.source_type,
        coalesce(configurations.device_id, concat(operands.submission_id, '/', operands.configuration_id))
            as compared_id,
        configurations.storage_topology,
        configurations.drive_count,
        configurations.completeness_ratio,
        coalesce(workloads.read_ratio < 1, true) as has_writes,
        coalesce(workloads.read_ratio > 0, true) as has_reads,
        coalesce(workloads.block_size_bytes <= 8192, true)
        and coalesce(
            case operands.metric
                when 'operations_per_second' then operands.operand_value
                when 'throughput_bytes_per_second' then operands.operand_value / workloads.block_size_bytes
                -- Little's law
                else operands.queue_depth / operands.operand_value
            end > 120000,
            true
        ) as is_processor_relevant,
        workloads.access_pattern is null
        or workloads.read_ratio is null
        or workloads.block_size_bytes is null as is_profile_incomplete,
        operands.metric = 'latency_mean_seconds' as is_latency,
        coalesce(operands.value_kind = 'approximate', false) as is_approximate,
        operands.repetition_count >= 3 as is_repeated
    from operands
    inner join configurations
        on
            operands.submission_id = configurations.submission_id
            and operands.configuration_id = configurations.configuration_id
    inner join workloads on operands.workload_id = workloads.workload_id
    where operands.operand_value > 0

),

final as (

    select
        *,
        row_number() over () as operand_id,
        hash(row(
            submission_id, configuration_id, has_writes, has_reads, is_processor_relevant, is_profile_incomplete,
            is_latency, latency_kind, process_count, load_basis, searched_depths, is_peak_at_edge, is_approximate,
            is_repeated
        )) as circumstances_id,
        row_number() over (
            partition by workload_id, metric, basis, compared_id, storage_topology, drive_count
            order by
                source_type = 'raw_tool_output' desc,
                repetition_count desc nulls last,
                completeness_ratio desc,
                submission_id desc,
                configuration_id asc,
                section asc,
                load_basis asc
        ) = 1 as is_representative
    from described

)

select * from final
