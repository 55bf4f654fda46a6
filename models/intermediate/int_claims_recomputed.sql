with claims as (

    select * from {{ ref('stg_claims') }}

),

operands as (

    select * from {{ ref('int_claims_operands_split') }}

),

numbers as (

    select * from {{ ref('int_claims_numbers_read') }}

),

counted as (

    select
        submission_id,
        claim_id,
        count(*) as operand_count,
        count(*) filter (where operand_role = 'numerator') as numerator_count,
        count(*) filter (where operand_role = 'denominator') as denominator_count
    from operands
    group by submission_id, claim_id

),

read as (

    select
        submission_id,
        claim_id,
        count(*) as read_count,
        bool_or(value_kind in ('lower_bound', 'upper_bound')) as has_bound,
        bool_or(value_kind = 'approximate') as has_approximation
    from numbers
    where operand_role <> 'claimed'
    group by submission_id, claim_id

),

denominators as (

    select * from numbers
    where operand_role = 'denominator'

),

claimed as (

    select * from numbers
    where operand_role = 'claimed'

),

paired as (

    select
        numbers.submission_id,
        numbers.claim_id,
        claims.formula,
        numbers.operand_position,
        numbers.unit_base as operand_base,
        numbers.unit_power as operand_power,
        numbers.value_low as n,
        numbers.value_high as n_top,
        -- what is counted is not rounded
        case when claims.formula = 'count' then 0 else numbers.half_unit end as n_half,
        denominators.value_low as d,
        denominators.value_high as d_top,
        denominators.half_unit as d_half,
        numbers.dimension as n_dimension,
        denominators.dimension as d_dimension,
        claimed.dimension as c_dimension,
        claims.formula in ('bound', 'count', 'difference')
        or (claims.formula = 'geomean' and denominators.claim_id is null) as is_in_claimed_unit,
        claims.claimed_unit in ('ratio', 'times', 'x', '%') as is_pure_number,
        coalesce(
            numbers.unit_base, denominators.unit_base, case when is_in_claimed_unit then claimed.unit_base end, 1000
        ) as common_base,
        numbers.unit_scale * power(coalesce(numbers.unit_base, common_base), numbers.unit_power) as n_factor,
        denominators.unit_scale * power(coalesce(denominators.unit_base, common_base), denominators.unit_power)
            as d_factor,
        claimed.unit_scale * power(coalesce(claimed.unit_base, common_base), claimed.unit_power) as c_factor
    from numbers
    inner join claims on numbers.submission_id = claims.submission_id and numbers.claim_id = claims.claim_id
    left join denominators
        on
            numbers.submission_id = denominators.submission_id
            and numbers.claim_id = denominators.claim_id
            and numbers.operand_position = denominators.operand_position
    left join claimed on numbers.submission_id = claimed.submission_id and numbers.claim_id = claimed.claim_id
    where numbers.operand_role = 'numerator'

),

-- Units of one dimension are brought to the unit of the claim, or to one another for a quotient; units of two known
-- dimensions have no difference and no pure quotient.
scaled as (

    select
        *,
        case
            when is_in_claimed_unit and n_dimension = c_dimension then n_factor / c_factor
            when not is_in_claimed_unit and n_dimension = d_dimension then n_factor
            else 1
        end as n_scale,
        case
            when is_in_claimed_unit and n_dimension = c_dimension and d_dimension = c_dimension
                then d_factor / c_factor
            when is_in_claimed_unit and c_dimension is null and n_dimension = d_dimension then d_factor / n_factor
            when not is_in_claimed_unit and n_dimension = d_dimension then d_factor
            else 1
        end as d_scale
    from paired
    where
        not coalesce(n_dimension <> d_dimension and (is_in_claimed_unit or is_pure_number), false)
        and not coalesce(n_dimension <> c_dimension and is_in_claimed_unit, false)

),

readings as (

    select
        submission_id,
        claim_id,
        formula,
        operand_position,
        operand_base,
        operand_power,
        n * n_scale as n_low,
        n_top * n_scale as n_high,
        d * d_scale as d_low,
        d_top * d_scale as d_high,
        'printed' as reading
    from scaled

    union all

    select
        submission_id,
        claim_id,
        formula,
        operand_position,
        operand_base,
        operand_power,
        (n - n_half) * n_scale as n_low,
        (n_top + n_half) * n_scale as n_high,
        (d - d_half) * d_scale as d_low,
        (d_top + d_half) * d_scale as d_high,
        'rounded' as reading
    from scaled

),

divided as (

    select
        *,
        case
            when d_low * d_high > 0 then least(n_low / d_low, n_low / d_high, n_high / d_low, n_high / d_high)
        end as ratio_low,
        case
            when d_low * d_high > 0 then greatest(n_low / d_low, n_low / d_high, n_high / d_low, n_high / d_high)
        end as ratio_high
    from readings

),

computed as (

    select
        submission_id,
        claim_id,
        reading,
        operand_base,
        operand_power,
        n_low,
        n_high,
        d_low,
        d_high,
        case formula
            when 'ratio' then ratio_low
            when 'qualitative' then ratio_low
            when 'percent_change' then 100 * (ratio_low - 1)
            when 'difference' then n_low - d_high
            when 'bound' then n_low
            when 'count' then n_low
            when 'geomean' then coalesce(ratio_low, case when d_low is null then n_low end)
        end as low,
        case formula
            when 'ratio' then ratio_high
            when 'qualitative' then ratio_high
            when 'percent_change' then 100 * (ratio_high - 1)
            when 'difference' then n_high - d_low
            when 'bound' then n_high
            when 'count' then n_high
            when 'geomean' then coalesce(ratio_high, case when d_low is null then n_high end)
        end as high
    from divided

),

combined as (

    select
        submission_id,
        claim_id,
        reading,
        max(operand_base) as operand_base,
        max(operand_power) as operand_power,
        max(n_low) as n_low,
        max(d_low) as d_low,
        case when count(*) > 1 then exp(avg(ln(low) order by low) filter (where low > 0)) else max(low) end as low,
        case when count(*) > 1 then exp(avg(ln(high) order by high) filter (where high > 0)) else max(high) end as high,
        min(low) as member_low,
        max(high) as member_high,
        count(*) filter (where low > 0) as positive_count
    from computed
    group by submission_id, claim_id, reading

),

final as (

    select
        claims.submission_id,
        claims.claim_id,
        coalesce(counted.operand_count, 0) as operand_count,
        coalesce(read.read_count, 0) as read_count,
        coalesce(read.has_bound, false) as has_bound,
        coalesce(read.has_approximation, false) as has_approximation,
        printed.operand_base,
        printed.operand_power,
        printed.n_low as numerator_value,
        printed.d_low as denominator_value,
        printed.low as printed_low,
        printed.high as printed_high,
        rounded.low as rounded_low,
        rounded.high as rounded_high,
        case when claims.formula = 'geomean' then printed.member_low end as member_low,
        case when claims.formula = 'geomean' then printed.member_high end as member_high
    from claims
    left join counted on claims.submission_id = counted.submission_id and claims.claim_id = counted.claim_id
    left join read on claims.submission_id = read.submission_id and claims.claim_id = read.claim_id
    left join combined as printed
        on
            claims.submission_id = printed.submission_id
            and claims.claim_id = printed.claim_id
            and printed.reading = 'printed'
            and counted.operand_count = read.read_count
            and case
                when claims.formula = 'none' then false
                when claims.formula in ('bound', 'count') then counted.numerator_count = 1
                when claims.formula = 'geomean'
                    then
                        counted.numerator_count = printed.positive_count
                        and counted.denominator_count in (0, counted.numerator_count)
                else counted.numerator_count = 1 and counted.denominator_count = 1
            end
    left join combined as rounded
        on
            printed.submission_id = rounded.submission_id
            and printed.claim_id = rounded.claim_id
            and rounded.reading = 'rounded'

)

select * from final
