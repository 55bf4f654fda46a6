with claims as (

    select * from {{ ref('stg_claims') }}

),

listed as (

    select
        submission_id,
        claim_id,
        'numerator' as operand_role,
        string_split(numerator, ';') as operands
    from claims
    where numerator is not null

    union all

    select
        submission_id,
        claim_id,
        'denominator' as operand_role,
        string_split(denominator, ';') as operands
    from claims
    where denominator is not null

),

numbered as (

    select
        submission_id,
        claim_id,
        operand_role,
        unnest(operands) as operand,
        generate_subscripts(operands, 1) as operand_position
    from listed

),

final as (

    select
        submission_id,
        claim_id,
        operand_role,
        operand_position,
        trim(operand) as operand,
        case when starts_with(trim(operand), 'figure:') then trim(substr(trim(operand), 8)) end as figure_id
    from numbered

)

select * from final
