-- Claims of a publication that divide a figure of one configuration by a figure of another: numerator as A, denominator as B.
select
    claims.submission_id, claims.claim_id, a.configuration_id as a_configuration_id, b.configuration_id as b_configuration_id,
    claims.statement, claims.recomputed_value, claims.verdict
from claims
inner join figures as a
    on claims.submission_id = a.submission_id and claims.numerator = 'figure:' || a.figure_id and a.is_canonical
inner join figures as b
    on claims.submission_id = b.submission_id and claims.denominator = 'figure:' || b.figure_id and b.is_canonical
inner join submissions on claims.submission_id = submissions.submission_id and submissions.status in ('active', 'disputed')
where a.configuration_id <> b.configuration_id and claims.recomputed_value is not null
order by claims.submission_id, claims.claim_id
