with claims as (

    select * from {{ ref('stg_claims') }}

),

recomputed as (

    select * from {{ ref('int_claims_recomputed') }}

),

bounds as (

    select * from {{ ref('int_claims_bounded') }}

),

numbers as (

    select * from {{ ref('int_claims_numbers_read') }}

),

-- A claimed reduction is negative: both sides change sign, so that sizes are compared. Ends move by 1e-12 of their
-- size, so that a value on an end falls to its side of it in floating-point numbers, too.
sided as (

    select
        claims.submission_id,
        claims.claim_id,
        claims.formula,
        claims.numerator = claims.denominator as has_one_operand_twice,
        recomputed.operand_base,
        recomputed.operand_power,
        bounds.* exclude (submission_id, claim_id) replace (
            bounds.accepted_low
            - case when bounds.is_low_accepted then 1e-12 else -1e-12 end * greatest(abs(bounds.accepted_low), 1e-6)
                as accepted_low,
            bounds.accepted_high
            + case when bounds.is_high_accepted then 1e-12 else -1e-12 end * greatest(abs(bounds.accepted_high), 1e-6)
                as accepted_high,
            bounds.cut_low * (1 - 1e-12) as cut_low,
            bounds.cut_high * (1 - 1e-12) as cut_high
        ),
        case bounds.direction when -1 then -recomputed.printed_high else recomputed.printed_low end as printed_low,
        case bounds.direction when -1 then -recomputed.printed_low else recomputed.printed_high end as printed_high,
        case bounds.direction when -1 then -recomputed.rounded_high else recomputed.rounded_low end as rounded_low,
        case bounds.direction when -1 then -recomputed.rounded_low else recomputed.rounded_high end as rounded_high,
        case
            when claims.formula = 'percent_change' and recomputed.numerator_value <> 0
                then
                    bounds.direction * 100 * (recomputed.numerator_value - recomputed.denominator_value)
                    / recomputed.numerator_value
        end as other_base_value
    from claims
    inner join recomputed
        on claims.submission_id = recomputed.submission_id and claims.claim_id = recomputed.claim_id
    inner join bounds
        on claims.submission_id = bounds.submission_id and claims.claim_id = bounds.claim_id

),

repeated as (

    select distinct
        numbers.submission_id,
        numbers.claim_id
    from numbers
    inner join claims on numbers.submission_id = claims.submission_id and numbers.claim_id = claims.claim_id
    where
        claims.formula in ('bound', 'count')
        and numbers.figure_id is not null
        and numbers.value_low = claims.claimed_value
        and numbers.figure_line = regexp_extract(claims.locator, 'line ([0-9]+)', 1)

),

powers as (

    select unnest(range(-4, 5)) as unit_shift

),

shifted as (

    select
        sided.submission_id,
        sided.claim_id,
        arg_max(powers.unit_shift, abs(powers.unit_shift)) as unit_shift
    from sided
    cross join powers
    where
        sided.comparison = 'number'
        and sided.claimed_base is null
        and powers.unit_shift <> 0
        and abs(powers.unit_shift) <= sided.claimed_unit_power
        and case
            when powers.unit_shift > 0 then sided.operand_power > 0 and coalesce(sided.operand_base, 1024) = 1024
            else coalesce(sided.operand_base, 1000) = 1000
        end
        and sided.printed_low * power(1.024, powers.unit_shift) >= sided.accepted_low
        and sided.printed_high * power(1.024, powers.unit_shift) <= sided.accepted_high
    group by sided.submission_id, sided.claim_id

),

distanced as (

    select
        *,
        printed_low >= coalesce(accepted_low, printed_low) and printed_high <= coalesce(accepted_high, printed_high)
            as is_printed_inside,
        rounded_low >= coalesce(accepted_low, rounded_low) and rounded_high <= coalesce(accepted_high, rounded_high)
            as is_rounded_inside,
        rounded_high >= coalesce(accepted_low, rounded_high) and rounded_low <= coalesce(accepted_high, rounded_low)
            as is_rounded_touching,
        printed_low >= cut_low and printed_high < cut_high as is_cut,
        other_base_value between accepted_low and accepted_high and comparison = 'number' as is_other_base,
        comparison = 'words' and printed_low >= 0.9 * claimed_size and printed_high <= 1.1 * claimed_size as is_wordy,
        case
            when comparison in ('number', 'words') then claimed_size
            when printed_low < accepted_low then accepted_low
            else accepted_high
        end as nearest_claim,
        case
            when abs(printed_high - claimed_size) > abs(printed_low - claimed_size) then printed_high
            else printed_low
        end as farthest_value
    from sided

),

final as (

    select
        distanced.submission_id,
        distanced.claim_id,
        distanced.comparison,
        distanced.direction * distanced.nearest_claim as nearest_claim,
        distanced.nearest_claim / nullif(distanced.farthest_value, 0) - 1 as difference_ratio,
        distanced.is_just_below,
        repeated.claim_id is not null or coalesce(distanced.has_one_operand_twice, false) as is_circular,
        distanced.printed_low is not null as is_recomputed,
        distanced.is_printed_inside and (distanced.is_rounded_inside or not distanced.is_one_sided) as is_following,
        nullif(
            concat_ws(
                '; or ',
                case when distanced.is_wordy then 'the words cover a difference of up to 10 %' end,
                case when distanced.is_cut then 'the number is cut off, not rounded' end,
                case
                    when distanced.is_rounded_touching
                        then 'the exact values of the operands lie on the side that supports it'
                end,
                case
                    when distanced.is_other_base then 'the percentage refers to the new value, not to the old one'
                end,
                case
                    when shifted.unit_shift = -distanced.claimed_unit_power
                        then 'the unit of the claim counts in powers of 1024'
                    when shifted.unit_shift = distanced.claimed_unit_power
                        then 'the unit of the claim counts in powers of 1000, that of the operands in powers of 1024'
                    when shifted.unit_shift is not null then 'the unit of the claim mixes powers of 1000 and of 1024'
                end
            ),
            ''
        ) as assumption,
        distanced.formula <> 'qualitative'
        and abs(distanced.nearest_claim / nullif(distanced.farthest_value, 0) - 1) <= 0.05 + 1e-12
        and (
            distanced.is_approximate
            or (
                not distanced.is_one_sided
                and case
                    when distanced.is_pure_ratio
                        then abs(ln(distanced.nearest_claim)) <= abs(ln(distanced.farthest_value))
                    else distanced.nearest_claim <= distanced.farthest_value
                end
            )
        ) as is_close
    from distanced
    left join repeated
        on distanced.submission_id = repeated.submission_id and distanced.claim_id = repeated.claim_id
    left join shifted
        on distanced.submission_id = shifted.submission_id and distanced.claim_id = shifted.claim_id

)

select * from final
