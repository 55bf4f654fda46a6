with claims as (

    select * from {{ source('raw', 'claims') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

verdicts as (

    select * from {{ source('raw', 'claim_verdicts') }}

),

replies as (

    select * from {{ source('raw', 'replies') }}

),

ranked as (

    select
        replies.*,
        row_number() over (
            partition by replies.claim_submission_id, replies.claim_id
            order by replies.replied_on desc, replies.submission_id desc, replies.reply_id desc
        ) as rank_index,
        count(*) over (partition by replies.claim_submission_id, replies.claim_id) as reply_count
    from replies
    inner join submissions on replies.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed')

),

earlier as (

    select
        claim_submission_id,
        claim_id,
        string_agg(
            concat(replied_on, ', ', replied_by, ' (', submission_id, '): ', reply), chr(10) order by rank_index
        ) as earlier_replies
    from ranked
    where rank_index > 1
    group by claim_submission_id, claim_id

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
        claims.is_end_excluded,
        claims.claimed_text,
        claims.claimed_unit,
        claims.qualifier,
        claims.quantifier,
        claims.formula,
        claims.numerator,
        claims.denominator,
        verdicts.operands,
        verdicts.recomputed_value,
        verdicts.recomputed_low,
        verdicts.recomputed_high,
        verdicts.difference_ratio,
        verdicts.verdict,
        verdicts.assumption,
        claims.assumption as stated_assumption,
        verdicts.verdict_reason,
        claims.note,
        ranked.reply,
        ranked.replied_by,
        ranked.replied_on,
        ranked.submission_id as reply_submission_id,
        coalesce(ranked.reply_count, 0) as reply_count,
        ranked.file_id as reply_file_id,
        ranked.source_pointer as reply_source_pointer,
        earlier.earlier_replies
    from claims
    inner join submissions on claims.submission_id = submissions.submission_id
    inner join verdicts on claims.submission_id = verdicts.submission_id and claims.claim_id = verdicts.claim_id
    left join ranked
        on
            claims.submission_id = ranked.claim_submission_id
            and claims.claim_id = ranked.claim_id
            and ranked.rank_index = 1
    left join earlier
        on
            claims.submission_id = earlier.claim_submission_id
            and claims.claim_id = earlier.claim_id
    where submissions.status in ('active', 'disputed')

)

select * from final
