-- The claims ledger: every statement of a publication that numbers can bear out, with what its operands give.
-- The rows of claims.csv stand in the order of their names, so the line of each follows from its rank.
select
    claims.submission_id, submissions.title, claims.claim_id, claims.statement, claims.locator,
    claims.claimed_value, claims.claimed_low, claims.claimed_high, claims.claimed_text, claims.claimed_unit,
    claims.qualifier, claims.operands, claims.recomputed_value, claims.recomputed_low, claims.recomputed_high,
    claims.recomputed_others, claims.verdict, claims.assumption, claims.verdict_reason, claims.limit_reason,
    claims.note, claims.reply,
    1 + row_number() over (partition by claims.submission_id order by claims.claim_id) as line
from claims
inner join submissions using (submission_id)
order by claims.submission_id, claims.claim_id
