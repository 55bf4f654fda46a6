with claims as (

    select * from {{ ref('stg_claims') }}

),

operands as (

    select * from {{ ref('int_claims_operands_split') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

figures as (

    select * from {{ ref('stg_figures') }}

),

limits as (

    select
        submission_id,
        printed_text,
        printed_value,
        printed_unit,
        split_part(device, ' ', 1) as model_word,
        printed_value * power(
            case unit_basis when 'base2' then 1024 else 1000 end,
            strpos('KMGT', upper(left(printed_unit, 1)))
        ) as limit_bytes_per_second,
        power(
            case unit_basis when 'base2' then 1024 else 1000 end,
            strpos('KMGT', upper(left(printed_unit, 1)))
        ) as unit_bytes,
        min(coalesce(device, '')) over (partition by submission_id)
        = max(coalesce(device, '')) over (partition by submission_id) as is_of_one_device
    from figures
    where
        quantity = 'throughput'
        and record_kind = 'limit'
        and is_canonical
        and unit_basis <> 'unknown'
        and regexp_full_match(printed_unit, '[kKMGT]B/s(ec)?')
        and printed_value > 0

),

rates as (

    select
        claims.submission_id,
        claims.claim_id,
        coalesce(claims.claimed_value, claims.claimed_high, claims.claimed_low) as operations_per_second,
        configurations.device,
        coalesce(configurations.drive_count, 1) as drive_count
    from claims
    left join operands
        on
            claims.submission_id = operands.submission_id
            and claims.claim_id = operands.claim_id
            and operands.operand_role = 'numerator'
            and operands.operand_position = 1
    left join figures on operands.submission_id = figures.submission_id and operands.figure_id = figures.figure_id
    left join configurations
        on
            figures.submission_id = configurations.submission_id
            and figures.configuration_id = configurations.configuration_id
    where
        claims.claimed_unit in ('IO/s', 'IOPS')
        and coalesce(claims.claimed_value, claims.claimed_high, claims.claimed_low) > 0

),

limited as (

    select
        rates.submission_id,
        rates.claim_id,
        rates.operations_per_second,
        rates.drive_count,
        limits.printed_text,
        limits.printed_unit,
        limits.unit_bytes,
        rates.drive_count * limits.limit_bytes_per_second / rates.operations_per_second as block_size_max_bytes
    from rates
    inner join limits
        on
            rates.submission_id = limits.submission_id
            and case
                when rates.device is null then limits.is_of_one_device else contains(rates.device, limits.model_word)
            end
    qualify
        row_number() over (
            partition by rates.submission_id, rates.claim_id
            order by limits.limit_bytes_per_second, limits.printed_text
        ) = 1

),

sized as (

    select
        *,
        power(2, floor(log2(block_size_max_bytes)) + 1) as block_size_next_bytes
    from limited
    where block_size_max_bytes >= 1

),

final as (

    select
        submission_id,
        claim_id,
        block_size_max_bytes,
        concat(
            'The stated limit of ',
            printed_text,
            case when drive_count > 1 then concat(', times ', drive_count, ' drives,') end,
            ' allows blocks of at most ',
            format('{:.0f}', floor(block_size_max_bytes)),
            ' bytes at this rate; blocks of ',
            case
                when block_size_next_bytes >= 1024 then concat(format('{:.0f}', block_size_next_bytes / 1024), ' KiB')
                else concat(format('{:.0f}', block_size_next_bytes), ' bytes')
            end,
            ' would need ',
            format('{:.0f}', operations_per_second * block_size_next_bytes / unit_bytes),
            ' ',
            printed_unit
        ) as limit_reason
    from sized

)

select * from final
