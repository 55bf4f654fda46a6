with claims as (

    select * from {{ ref('stg_claims') }}

),

numbers as (

    select * from {{ ref('int_claims_numbers_read') }}

),

phrased as (

    -- "no less than" is no "less than", and "almost always" says nothing of the number
    select
        * replace (
            regexp_replace(
                regexp_replace(
                    regexp_replace(lower(qualifier), '\b(no|not) (less|fewer) than\b|\bnot below\b', 'at least', 'g'),
                    '\b(no|not) more than\b|\bnot (above|over)\b',
                    'at most',
                    'g'
                ),
                '\b(almost|nearly) (always|all|every)\b',
                '',
                'g'
            ) as qualifier
        )
    from claims

),

worded as (

    select
        claims.submission_id,
        claims.claim_id,
        claims.formula,
        claims.claimed_unit,
        claims.claimed_text,
        abs(claims.claimed_value) as claimed_size,
        claims.claimed_low,
        claims.claimed_high,
        case when claims.claimed_value < 0 then -1 else 1 end as direction,
        coalesce(numbers.half_unit, 0) as half_unit,
        numbers.unit_base as claimed_base,
        case when numbers.dimension in ('bytes', 'throughput') then numbers.unit_power else 0 end as claimed_unit_power,
        regexp_matches(
            claims.qualifier,
            '\b(about|around|approximately|approx|roughly|almost|nearly|just under|close|circa|appreciably)\b'
        ) as is_approximate,
        regexp_matches(claims.qualifier, '\b(almost|nearly|just under)\b') as is_just_below,
        regexp_matches(claims.qualifier, '\b(less than|below|at most|fewer than)\b') as is_at_most,
        regexp_matches(claims.qualifier, '\b(more than|over|above|at least)\b') as is_at_least,
        regexp_matches(claims.qualifier, '\b(at most|at least)\b') as is_inclusive,
        nullif(regexp_extract(claims.claimed_text, '^[^0-9.]*([0-9]+)/([0-9]+)[^0-9/]*$', 1), '') as fraction_over,
        nullif(regexp_extract(claims.claimed_text, '^[^0-9.]*([0-9]+)/([0-9]+)[^0-9/]*$', 2), '') as fraction_under
    from phrased as claims
    left join numbers
        on
            claims.submission_id = numbers.submission_id
            and claims.claim_id = numbers.claim_id
            and numbers.operand_role = 'claimed'

),

compared as (

    select
        * replace (
            cast(fraction_over as double) as fraction_over,
            cast(fraction_under as double) as fraction_under
        ),
        case
            when formula = 'none' then 'nothing'
            when formula = 'qualitative' and claimed_low is null and claimed_high is null then 'nothing'
            when formula = 'qualitative' then 'order'
            when claimed_size is null and claimed_low is null and claimed_high is null then 'nothing'
            when claimed_size is null and (claimed_low is null or claimed_high is null) then 'order'
            when claimed_size is null then 'range'
            when is_at_most then 'at_most'
            when is_at_least then 'at_least'
            when claimed_text is not null and not regexp_matches(claimed_text, '[0-9]') then 'words'
            else 'number'
        end as comparison
    from worded

),

fractioned as (

    select
        *,
        coalesce(
            comparison = 'number'
            and fraction_over > 0
            and fraction_under > 0
            and abs(fraction_over / fraction_under - claimed_size) <= 1e-9 * claimed_size,
            false
        ) as is_fraction
    from compared

),

final as (

    select
        submission_id,
        claim_id,
        comparison,
        direction,
        claimed_size,
        claimed_base,
        claimed_unit_power,
        comparison in ('order', 'at_least', 'at_most') as is_one_sided,
        coalesce(is_approximate, false) as is_approximate,
        coalesce(is_just_below, false) as is_just_below,
        formula in ('ratio', 'geomean') and coalesce(claimed_unit in ('ratio', 'times', 'x'), true) as is_pure_ratio,
        comparison in ('number', 'words', 'range')
        or (comparison = 'order' and formula <> 'qualitative')
        or coalesce(is_inclusive, false) as is_low_accepted,
        comparison in ('words', 'range')
        or (comparison = 'order' and formula <> 'qualitative')
        or (comparison <> 'number' and coalesce(is_inclusive, false)) as is_high_accepted,
        case
            when is_fraction then fraction_over / (fraction_under + 0.5)
            when comparison = 'number' then claimed_size - half_unit
            when comparison = 'words' then claimed_size * 0.95
            when comparison = 'at_least' then claimed_size
            when comparison in ('order', 'range') then claimed_low
        end as accepted_low,
        case
            when is_fraction then fraction_over / (fraction_under - 0.5)
            when comparison = 'number' then claimed_size + half_unit
            when comparison = 'words' then claimed_size * 1.05
            when comparison = 'at_most' then claimed_size
            when comparison in ('order', 'range') then claimed_high
        end as accepted_high,
        case
            when is_fraction then fraction_over / (fraction_under + 1)
            when comparison = 'number' then claimed_size
        end as cut_low,
        case
            when is_fraction then claimed_size
            when comparison = 'number' then claimed_size + 2 * half_unit
        end as cut_high
    from fractioned

)

select * from final
