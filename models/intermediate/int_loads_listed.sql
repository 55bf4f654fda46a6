with operands as (

    select * from {{ ref('int_operands') }}

),

checked as (

    select * from {{ ref('int_operands_checked') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

final as (

    select
        operands.operand_id,
        operands.circumstances_id,
        operands.submission_id,
        operands.configuration_id,
        operands.section,
        operands.workload_id,
        operands.load_profile,
        operands.metric,
        operands.basis = 'peak' as is_peak,
        case when operands.basis <> 'peak' then operands.queue_depth end as queue_depth,
        case when operands.basis <> 'peak' then operands.queue_depth / operands.drive_count end
            as queue_depth_per_drive,
        operands.value as load_value,
        operands.n,
        operands.run_count,
        operands.session_count,
        operands.log_variance,
        operands.low_half,
        operands.high_half,
        coalesce(checked.is_lower_bound, false) as is_held_back,
        operands.is_stated_bound,
        operands.process_count,
        operands.engine,
        configurations.io_scheduler,
        operands.value_kind,
        operands.device_id,
        operands.device,
        operands.storage_topology,
        operands.drive_count,
        operands.read_ratio,
        operands.access_pattern,
        operands.block_size_bytes,
        configurations.raid_stripe_bytes,
        configurations.controller_cache_policy = 'write_back' as is_written_back,
        coalesce(checked.worst, 0) as worst_check,
        coalesce(checked.verdicts, []) as check_verdicts
    from operands
    inner join configurations
        on
            operands.submission_id = configurations.submission_id
            and operands.configuration_id = configurations.configuration_id
    left join checked on operands.operand_id = checked.operand_id
    where
        operands.own_reason is null
        and operands.metric <> 'latency_mean_seconds'
        and (operands.basis = 'peak' or starts_with(operands.basis, 'queue_depth='))

)

select * from final
