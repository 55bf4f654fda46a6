with claims as (

    select * from {{ ref('stg_claims') }}

),

operands as (

    select * from {{ ref('int_claims_operands_split') }}

),

figures as (

    select * from {{ ref('stg_figures') }}

),

alternatives as (

    select
        operands.submission_id,
        operands.claim_id,
        operands.operand_role,
        operands.operand_position,
        figures.printed_value as own_value,
        alternates.printed_value
    from operands
    inner join claims on operands.submission_id = claims.submission_id and operands.claim_id = claims.claim_id
    inner join figures on operands.submission_id = figures.submission_id and operands.figure_id = figures.figure_id
    inner join figures as alternates
        on
            figures.submission_id = alternates.submission_id
            and figures.configuration_id = alternates.configuration_id
            and figures.quantity = alternates.quantity
            and figures.printed_unit = alternates.printed_unit
            and figures.statistic is not distinct from alternates.statistic
            and figures.load_profile is not distinct from alternates.load_profile
            and figures.queue_depth is not distinct from alternates.queue_depth
    where
        alternates.printed_value is not null
        and figures.printed_value is not null
        and (
            alternates.figure_id = figures.figure_id
            or alternates.line <> regexp_extract(claims.locator, 'line ([0-9]+)', 1)
        )

),

paired as (

    select
        claims.submission_id,
        claims.claim_id,
        case claims.formula
            when 'ratio' then numerators.printed_value / nullif(denominators.printed_value, 0)
            when 'percent_change'
                then 100 * (numerators.printed_value / nullif(denominators.printed_value, 0) - 1)
            when 'difference' then numerators.printed_value - denominators.printed_value
            when 'bound' then numerators.printed_value
        end as other_value
    from claims
    inner join alternatives as numerators
        on
            claims.submission_id = numerators.submission_id
            and claims.claim_id = numerators.claim_id
            and numerators.operand_role = 'numerator'
            and numerators.operand_position = 1
    left join alternatives as denominators
        on
            claims.submission_id = denominators.submission_id
            and claims.claim_id = denominators.claim_id
            and denominators.operand_role = 'denominator'
            and denominators.operand_position = 1
    where
        numerators.printed_value <> numerators.own_value
        or denominators.printed_value <> denominators.own_value

),

displayed as (

    select distinct
        submission_id,
        claim_id,
        format('{:.6g}', other_value) as other_text,
        round(other_value, 9) as other_value
    from paired
    where other_value is not null

),

final as (

    select
        submission_id,
        claim_id,
        string_agg(other_text, ', ' order by other_value) as other_values
    from displayed
    group by submission_id, claim_id

)

select * from final
