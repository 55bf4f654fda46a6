-- Every statement of a publication that can be recomputed, with the claimed and the recomputed value.
select
    claims.submission_id, submissions.title, claims.claim_id, claims.statement, claims.claimed_value, claims.claimed_low,
    claims.claimed_high, claims.claimed_text, claims.claimed_unit, claims.qualifier, claims.recomputed_value,
    claims.recomputed_low, claims.recomputed_high, claims.difference_ratio, claims.verdict, claims.verdict_reason,
    claims.reply, claims.replied_by, claims.replied_on, claims.reply_submission_id
from claims
inner join submissions using (submission_id)
order by claims.submission_id, claims.claim_id
