with operands as (

    select * from {{ ref('int_operands_listed') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

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
        configurations.completeness_ratio
    from operands
    inner join configurations
        on
            operands.submission_id = configurations.submission_id
            and operands.configuration_id = configurations.configuration_id
    where operands.operand_value > 0

),

final as (

    select
        *,
        row_number() over (
            partition by load_profile_id, metric, basis, compared_id, storage_topology, drive_count
            order by
                source_type = 'raw_tool_output' desc,
                repetition_count desc nulls last,
                completeness_ratio desc,
                submission_id desc,
                configuration_id asc,
                section asc
        ) = 1 as is_representative
    from described

)

select * from final
