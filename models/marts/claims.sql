with claims as (

    select * from {{ ref('int_claims_admitted') }}

),

numbers as (

    select * from {{ ref('int_claims_numbers_read') }}

),

recomputed as (

    select * from {{ ref('int_claims_recomputed') }}

),

tested as (

    select * from {{ ref('int_claims_tested') }}

),

alternatives as (

    select * from {{ ref('int_claims_alternated') }}

),

limits as (

    select * from {{ ref('int_claims_limited') }}

),

replies as (

    select * from {{ ref('int_replies_ranked') }}

),

printed as (

    select
        submission_id,
        claim_id,
        string_agg(printed_text, ', ' order by operand_position) filter (where operand_role = 'numerator')
            as numerator_text,
        string_agg(printed_text, ', ' order by operand_position) filter (where operand_role = 'denominator')
            as denominator_text
    from numbers
    where operand_role <> 'claimed'
    group by submission_id, claim_id

),

judged as (

    select
        claims.*,
        case
            when claims.formula = 'difference' then concat_ws(' − ', printed.numerator_text, printed.denominator_text)
            else concat_ws(' / ', printed.numerator_text, printed.denominator_text)
        end as operands,
        recomputed.operand_count,
        recomputed.read_count,
        recomputed.has_bound,
        recomputed.member_low,
        recomputed.member_high,
        case when recomputed.printed_low = recomputed.printed_high then recomputed.printed_low end as recomputed_value,
        recomputed.rounded_low as recomputed_low,
        recomputed.rounded_high as recomputed_high,
        alternatives.other_values as recomputed_others,
        tested.comparison,
        tested.nearest_claim,
        tested.is_just_below,
        case
            when tested.comparison in ('number', 'words', 'at_least', 'at_most') then tested.difference_ratio
        end as difference_ratio,
        tested.assumption,
        limits.limit_reason,
        replies.reply,
        replies.replied_by,
        replies.replied_on,
        replies.submission_id as reply_submission_id,
        coalesce(replies.reply_count, 0) as reply_count,
        case
            when tested.is_circular then 'circular'
            when not tested.is_recomputed then 'not_derivable'
            when tested.comparison = 'nothing' then 'qualitative'
            when tested.is_following then 'follows'
            when tested.assumption is not null then 'follows_if'
            when tested.is_close then 'close'
            else 'does_not_follow'
        end as verdict
    from claims
    inner join tested on claims.submission_id = tested.submission_id and claims.claim_id = tested.claim_id
    inner join recomputed
        on claims.submission_id = recomputed.submission_id and claims.claim_id = recomputed.claim_id
    left join printed on claims.submission_id = printed.submission_id and claims.claim_id = printed.claim_id
    left join alternatives
        on claims.submission_id = alternatives.submission_id and claims.claim_id = alternatives.claim_id
    left join limits on claims.submission_id = limits.submission_id and claims.claim_id = limits.claim_id
    left join replies on claims.submission_id = replies.claim_submission_id and claims.claim_id = replies.claim_id

),

computed as (

    select
        *,
        concat(
            case
                when formula in ('bound', 'count') then concat('the printed value is ', operands)
                when formula = 'geomean' then concat('the geometric mean of ', operands, ' = ')
                when formula = 'percent_change' then concat(operands, ' − 1 = ')
                else concat(operands, ' = ')
            end,
            case
                when formula in ('bound', 'count') then ''
                else
                    coalesce(
                        format('{:.6g}', recomputed_value),
                        concat('between ', format('{:.6g}', recomputed_low), ' and ', format('{:.6g}', recomputed_high))
                    )
            end,
            case when formula = 'percent_change' then ' %' else '' end,
            case
                when starts_with(claimed_text, '1/') and recomputed_value > 0
                    then concat(', one part in ', format('{:.3g}', 1 / recomputed_value))
                else ''
            end,
            case
                when
                    recomputed_value is not null
                    and format('{:.6g}', recomputed_low) <> format('{:.6g}', recomputed_high)
                    then
                        concat(
                            ' (',
                            format('{:.6g}', recomputed_low),
                            ' to ',
                            format('{:.6g}', recomputed_high),
                            ' within the rounding of what is printed)'
                        )
                else ''
            end,
            case
                when is_just_below and difference_ratio < 0
                    then '; the recomputed value is not below the claim'
                else ''
            end,
            case when has_bound then '; an operand is printed as a bound' else '' end,
            case
                when member_low < member_high
                    then
                        concat(
                            '; the members lie between ',
                            format('{:.6g}', member_low),
                            ' and ',
                            format('{:.6g}', member_high)
                        )
                else ''
            end
        ) as arithmetic,
        concat(
            case
                when difference_ratio is null then ''
                when difference_ratio > 0
                    then concat('; the claimed number is ', format('{:.1f}', 100 * difference_ratio), ' % larger')
                else concat('; the claimed number is ', format('{:.1f}', -100 * difference_ratio), ' % smaller')
            end,
            case
                when recomputed_others is null then ''
                else concat('; other figures printed for the same measurements give ', recomputed_others)
            end
        ) as distance
    from judged

),

final as (

    select
        submission_id,
        claim_id,
        statement,
        locator,
        source_sha256,
        source_pointer,
        claimed_value,
        claimed_low,
        claimed_high,
        claimed_text,
        claimed_unit,
        qualifier,
        formula,
        numerator,
        denominator,
        nullif(operands, '') as operands,
        recomputed_value,
        recomputed_low,
        recomputed_high,
        recomputed_others,
        difference_ratio,
        verdict,
        case when verdict = 'follows_if' then assumption end as assumption,
        case
            when verdict = 'circular' then 'The claim is compared with itself'
            when verdict = 'not_derivable' and formula = 'none'
                then 'Not derivable from the disclosed data: the claim has no derivation from printed numbers'
            when verdict = 'not_derivable' and operand_count = 0
                then 'Not derivable from the disclosed data: the operands are not disclosed'
            when verdict = 'not_derivable' and read_count < operand_count
                then 'Not derivable from the disclosed data: an operand is not a figure of the submission or a number'
            when verdict = 'not_derivable'
                then 'Not derivable from the disclosed data: the operands do not fit the formula'
            when verdict = 'qualitative' then concat('No number is claimed; ', arithmetic)
            when verdict = 'follows' and comparison = 'number'
                then concat('Rounds to the claim as printed: ', arithmetic)
            when verdict = 'follows' then concat('Agrees with the claim: ', arithmetic)
            when verdict = 'follows_if' then concat('Follows if ', assumption, ': ', arithmetic)
            when verdict = 'close'
                then concat('Within 5 %, but not at the printed precision: ', arithmetic, distance)
            else concat('Does not follow from the printed operands: ', arithmetic, distance)
        end as verdict_reason,
        limit_reason,
        note,
        reply,
        replied_by,
        replied_on,
        reply_submission_id,
        reply_count
    from computed

)

select * from final
