with operands as (

    select * from {{ ref('int_operands') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

claims as (

    select * from {{ source('raw', 'claims') }}

),

results as (

    select * from {{ ref('int_results_qualified') }}

),

loads as (

    select
        operands.* replace (
            case when operands.basis <> 'peak' then operands.queue_depth end as queue_depth
        ),
        operands.basis = 'peak' as is_peak,
        case when not is_peak then operands.queue_depth / operands.drive_count end as queue_depth_per_drive,
        configurations.io_scheduler
    from operands
    inner join configurations
        on
            operands.submission_id = configurations.submission_id
            and operands.configuration_id = configurations.configuration_id
    where
        operands.own_reason is null
        and operands.metric <> 'latency_mean_seconds'
        and (operands.basis = 'peak' or starts_with(operands.basis, 'queue_depth='))

),

-- figures that a claim may name
figures as (

    select
        *,
        concat('figure:', figure_id) as operand
    from results
    where is_comparable and figure_id is not null

),

-- a factor that a source states is a claim of the form ratio between two figures of one workload
stated as (

    select
        claims.submission_id,
        claims.claim_id,
        claims.claimed_value as stated_factor_ratio,
        concat_ws(', ', claims.claimed_text, claims.qualifier) as stated_factor_text,
        arrays.workload_id,
        arrays.configuration_id as array_configuration_id,
        arrays.section as array_section,
        case when arrays.statistic <> 'peak' then arrays.queue_depth end as array_queue_depth,
        bases.configuration_id as base_configuration_id,
        bases.section as base_section,
        case when bases.statistic <> 'peak' then bases.queue_depth end as base_queue_depth
    from claims
    inner join figures as arrays on claims.submission_id = arrays.submission_id and claims.numerator = arrays.operand
    inner join figures as bases
        on
            claims.submission_id = bases.submission_id
            and claims.denominator = bases.operand
            and arrays.workload_id = bases.workload_id
    where claims.formula = 'ratio'

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
