with loads as (

    select * from {{ ref('int_loads_listed') }}

),

stated as (

    select * from {{ ref('int_factors_stated') }}

),

arrays as (

    select *
    from loads
    where
        storage_topology in ('independent', 'raid0', 'raid1', 'raid10', 'raid5', 'raid6')
        and drive_count > 1

),

bases as (

    select *
    from loads
    where storage_topology = 'single' and drive_count = 1

),

in_one_section as (

    select
        arrays.operand_id as array_operand_id,
        bases.operand_id as base_operand_id
    from arrays
    inner join bases
        on
            arrays.submission_id = bases.submission_id
            and arrays.section = bases.section
            and arrays.workload_id = bases.workload_id
            and arrays.metric = bases.metric
            and arrays.device_id = bases.device_id
            -- what another engine or scheduler gains is nothing that more drives gain
            and coalesce(arrays.engine = bases.engine, true)
            and coalesce(arrays.io_scheduler = bases.io_scheduler, true)
    where
        -- with fewer I/Os than drives, each drive that is busy has one; a peak has no depth
        (not arrays.is_peak and greatest(arrays.queue_depth_per_drive, 1) = bases.queue_depth)
        or arrays.queue_depth = bases.queue_depth
        or (arrays.is_peak and bases.is_peak)

),

as_stated as (

    select
        arrays.operand_id as array_operand_id,
        bases.operand_id as base_operand_id,
        stated.claim_id,
        stated.stated_factor_ratio,
        stated.stated_factor_text
    from stated
    inner join arrays
        on
            stated.submission_id = arrays.submission_id
            and stated.array_configuration_id = arrays.configuration_id
            and stated.array_section = arrays.section
            and stated.workload_id = arrays.workload_id
            and stated.array_queue_depth is not distinct from arrays.queue_depth
    inner join bases
        on
            stated.submission_id = bases.submission_id
            and stated.base_configuration_id = bases.configuration_id
            and stated.base_section = bases.section
            and stated.workload_id = bases.workload_id
            and stated.base_queue_depth is not distinct from bases.queue_depth
    where arrays.metric = bases.metric and arrays.device_id = bases.device_id
    qualify row_number() over (partition by arrays.operand_id, bases.operand_id order by stated.claim_id) = 1

),

final as (

    select
        coalesce(in_one_section.array_operand_id, as_stated.array_operand_id) as array_operand_id,
        coalesce(in_one_section.base_operand_id, as_stated.base_operand_id) as base_operand_id,
        as_stated.claim_id,
        as_stated.stated_factor_ratio,
        as_stated.stated_factor_text
    from in_one_section
    full join as_stated
        on
            in_one_section.array_operand_id = as_stated.array_operand_id
            and in_one_section.base_operand_id = as_stated.base_operand_id

)

select * from final
