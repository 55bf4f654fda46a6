-- Every statement of a publication that can be recomputed, with the claimed and the recomputed value.
select
    submission_id, submissions.title, claim_id, statement, claimed_value, claimed_low, claimed_high, claimed_text, claimed_unit,
    qualifier, recomputed_value, recomputed_low, recomputed_high, difference_ratio, verdict, verdict_reason, reply, replied_by,
    replied_on, reply_submission_id
from claims
inner join submissions using (submission_id)
order by submission_id, claim_id
