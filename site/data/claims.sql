-- The claims ledger: every statement of a publication that numbers can bear out, with what its operands give.
select
    claims.submission_id, submissions.title, claims.claim_id, claims.statement, claims.locator,
    claims.claimed_value, claims.claimed_low, claims.claimed_high, claims.claimed_text, claims.claimed_unit,
    claims.qualifier, claims.operands, claims.recomputed_value, claims.recomputed_low, claims.recomputed_high,
    claims.recomputed_others, claims.verdict, claims.assumption, claims.verdict_reason, claims.limit_reason,
    claims.note, claims.reply, claims.replied_by, claims.replied_on, claims.reply_submission_id,
    files.path as source_path, claims.source_pointer
from claims
inner join files using (file_id)
inner join submissions on claims.submission_id = submissions.submission_id
order by claims.submission_id, claims.claim_id
