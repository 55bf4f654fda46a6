with claims as (

    select * from {{ ref('stg_claims') }}

),

submissions as (

    select * from {{ ref('stg_submissions') }}

),

verdicts as (

    select * from {{ source('raw', 'claim_verdicts') }}

),

replies as (

    select * from {{ ref('int_replies_ranked') }}

),

final as (

    select
        claims.submission_id,
        claims.claim_id,
        claims.statement,
        claims.locator,
        claims.source_sha256,
        claims.file_id,
        claims.source_pointer,
        claims.claimed_value,
        claims.claimed_low,
        claims.claimed_high,
        claims.claimed_text,
        claims.claimed_unit,
        claims.qualifier,
        claims.formula,
        claims.numerator,
        claims.denominator,
        verdicts.operands,
        verdicts.recomputed_value,
        verdicts.recomputed_low,
        verdicts.recomputed_high,
        verdicts.recomputed_others,
        verdicts.difference_ratio,
        verdicts.verdict,
        verdicts.assumption,
        verdicts.verdict_reason,
        verdicts.limit_reason,
        claims.note,
        replies.reply,
        replies.replied_by,
        replies.replied_on,
        replies.submission_id as reply_submission_id,
        coalesce(replies.reply_count, 0) as reply_count
    from claims
    inner join submissions on claims.submission_id = submissions.submission_id
    inner join verdicts on claims.submission_id = verdicts.submission_id and claims.claim_id = verdicts.claim_id
    left join replies on claims.submission_id = replies.claim_submission_id and claims.claim_id = replies.claim_id
    where submissions.status in ('active', 'disputed')

)

select * from final
