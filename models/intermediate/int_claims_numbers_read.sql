with claims as (

    select * from {{ ref('stg_claims') }}

),

operands as (

    select * from {{ ref('int_claims_operands_split') }}

),

figures as (

    select * from {{ ref('stg_figures') }}

),

literals as (

    select
        submission_id,
        claim_id,
        operand_role,
        operand_position,
        operand,
        regexp_replace(operand, ',([0-9]{3})', '\1', 'g') as plain_text
    from operands
    where
        figure_id is null
        and regexp_full_match(operand, '-?[0-9][0-9,]*([.][0-9]+)?( ?[^-+0-9., eE].*| [eE].*)?')

),

printed as (

    select
        submission_id,
        claim_id,
        'claimed' as operand_role,
        1 as operand_position,
        cast(null as varchar) as operand,
        cast(null as varchar) as figure_id,
        claimed_text as printed_text,
        claimed_unit as unit,
        'unknown' as unit_basis,
        cast(null as varchar) as value_kind,
        cast(null as varchar) as figure_line,
        coalesce(claimed_value, claimed_low, claimed_high) as value_low,
        coalesce(claimed_value, claimed_high, claimed_low) as value_high
    from claims

    union all

    select
        submission_id,
        claim_id,
        operand_role,
        operand_position,
        operand,
        cast(null as varchar) as figure_id,
        operand as printed_text,
        nullif(trim(regexp_extract(plain_text, '-?[0-9.]+(.*)', 1)), '') as unit,
        'unknown' as unit_basis,
        cast(null as varchar) as value_kind,
        cast(null as varchar) as figure_line,
        cast(regexp_extract(plain_text, '-?[0-9.]+') as double) as value_low,
        cast(regexp_extract(plain_text, '-?[0-9.]+') as double) as value_high
    from literals

    union all

    select
        operands.submission_id,
        operands.claim_id,
        operands.operand_role,
        operands.operand_position,
        operands.operand,
        operands.figure_id,
        figures.printed_text,
        figures.printed_unit as unit,
        figures.unit_basis,
        figures.value_kind,
        figures.line as figure_line,
        coalesce(figures.printed_value, figures.printed_low) as value_low,
        coalesce(figures.printed_value, figures.printed_high) as value_high
    from operands
    inner join figures on operands.submission_id = figures.submission_id and operands.figure_id = figures.figure_id

),

numbers_in_text as (

    select
        submission_id,
        claim_id,
        operand_role,
        operand_position,
        figure_id,
        value_low,
        value_high,
        unnest(
            list_append(
                regexp_extract_all(regexp_replace(printed_text, ',([0-9]{3})', '\1', 'g'), '[0-9]+(?:[.][0-9]+)?'),
                format('{:.15g}', abs(value_low))
            )
        ) as number_text,
        generate_subscripts(
            list_append(
                regexp_extract_all(regexp_replace(printed_text, ',([0-9]{3})', '\1', 'g'), '[0-9]+(?:[.][0-9]+)?'),
                format('{:.15g}', abs(value_low))
            ),
            1
        ) as number_position
    from printed
    where value_low is not null

),

matched as (

    select
        *,
        abs(value_low) / nullif(cast(number_text as double), 0) as text_scale
    from numbers_in_text
    qualify
        row_number() over (
            partition by submission_id, claim_id, operand_role, operand_position
            order by
                case
                    when value_low = 0 then cast(number_text as double) <> 0
                    when cast(number_text as double) = 0 then true
                    else
                        abs(
                            log10(abs(value_low) / cast(number_text as double))
                            - round(log10(abs(value_low) / cast(number_text as double)))
                        ) > 1e-9
                end,
                number_position
        ) = 1

),

measured as (

    select
        submission_id,
        claim_id,
        operand_role,
        operand_position,
        coalesce(text_scale, 1)
        * case
            when contains(number_text, '.') then 0.5 / power(10, length(number_text) - strpos(number_text, '.'))
            when cast(number_text as double) = 0 or (figure_id is null and operand_role <> 'claimed') then 0.5
            else
                least(
                    0.5 * power(10, length(number_text) - length(rtrim(number_text, '0'))),
                    greatest(0.5, 0.05 * cast(number_text as double))
                )
        end as half_unit
    from matched
    where value_low = value_high

),

final as (

    select
        printed.*,
        coalesce(measured.half_unit, 0) as half_unit,
        case
            when regexp_full_match(printed.unit, '([kKMGT]i?)?(B|bytes)') then 'bytes'
            when regexp_full_match(printed.unit, '([kKMGT]i?)?(B|bytes)/s(ec)?') then 'throughput'
            when regexp_full_match(printed.unit, '([kKM] ?)?(IOPS|IO/s)') then 'operations'
            when regexp_full_match(printed.unit, 'ns|us|µs|μs|ms|s|sec|min|h') then 'time'
        end as dimension,
        case
            when regexp_full_match(printed.unit, '[kKMGT].*(B|bytes|IOPS|IO)(/s(ec)?)?')
                then strpos('KMGT', upper(left(printed.unit, 1)))
            else 0
        end as unit_power,
        case
            when regexp_full_match(printed.unit, '[kKM] ?(IOPS|IO/s)') then 1000
            when regexp_full_match(printed.unit, '[KMGT]iB(/s(ec)?)?') or printed.unit_basis = 'base2' then 1024
            when printed.unit_basis = 'base10' then 1000
        end as unit_base,
        case printed.unit
            when 'ns' then 1e-9
            when 'us' then 1e-6
            when 'µs' then 1e-6
            when 'μs' then 1e-6
            when 'ms' then 1e-3
            when 'min' then 60
            when 'h' then 3600
            else 1
        end as unit_scale
    from printed
    left join measured
        on
            printed.submission_id = measured.submission_id
            and printed.claim_id = measured.claim_id
            and printed.operand_role = measured.operand_role
            and printed.operand_position = measured.operand_position
    where printed.value_low is not null

)

select * from final
