-- The pair of configurations that the page opens with: the widest gap at the peak, first of those that have the whole set
-- of application types in common, then between two named media.
with sets as (
    select distinct a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
    from quotient_summaries
    where basis = 'peak' and profile_set_id = 'application-types' and geomean_ratio is not null
)

select a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
from quotients
left join sets using (a_submission_id, a_configuration_id, b_submission_id, b_configuration_id)
where basis = 'peak'
order by
    sets.a_submission_id is null, 'other' in (coalesce(a_media_class, 'other'), coalesce(b_media_class, 'other')),
    quotient_ratio desc nulls last, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
limit 1
