-- The pair of configurations that the page opens with: the widest gap at the peak.
select a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
from quotients
where basis = 'peak'
order by quotient_ratio desc nulls last, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
limit 1
