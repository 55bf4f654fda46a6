with claims as (

    select * from {{ ref('stg_claims') }}

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
        printed_value * power(
            case unit_basis when 'base2' then 1024 else 1000 end,
            strpos('KMGT', upper(left(printed_unit, 1)))
        ) as limit_bytes_per_second,
        power(
            case unit_basis when 'base2' then 1024 else 1000 end,
            strpos('KMGT', upper(left(printed_unit, 1)))
        ) as unit_bytes
    from figures
    where
        quantity = 'throughput'
        and record_kind = 'limit'
        and unit_basis <> 'unknown'
        and regexp_full_match(printed_unit, '[kKMGT]B/s(ec)?')
        and printed_value > 0
    qualify row_number() over (partition by submission_id order by limit_bytes_per_second, figure_id) = 1

),

rates as (

    select
        submission_id,
        claim_id,
        coalesce(claimed_value, claimed_high, claimed_low) as operations_per_second
    from claims
    where claimed_unit in ('IO/s', 'IOPS') and coalesce(claimed_value, claimed_high, claimed_low) > 0

),

sized as (

    select
        rates.submission_id,
        rates.claim_id,
        rates.operations_per_second,
        limits.printed_text,
        limits.printed_unit,
        limits.unit_bytes,
        limits.limit_bytes_per_second / rates.operations_per_second as block_size_max_bytes,
        power(2, floor(log2(limits.limit_bytes_per_second / rates.operations_per_second)) + 1) as block_size_next_bytes
    from rates
    inner join limits on rates.submission_id = limits.submission_id
    where limits.limit_bytes_per_second >= rates.operations_per_second

),

final as (

    select
        submission_id,
        claim_id,
        block_size_max_bytes,
        concat(
            'The stated limit of ',
            printed_text,
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
