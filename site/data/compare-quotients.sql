-- Every quotient of two configurations with its grade and verdict, and the comparisons that were considered and have none.
select
    load_profile, metric, basis, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
    b_section, a_value, b_value, quotient_ratio, quotient_display_text, comparability_grade, comparability_reasons,
    verdict_sentence
from quotients
union all by name
select
    load_profile, metric, coalesce(bases, 'no common load') as basis, a_submission_id, a_configuration_id, a_section,
    b_submission_id, b_configuration_id, b_section, null::double as quotient_ratio, 'X' as comparability_grade,
    concat_ws(
        '; ', coalesce(reason_words, replace(reason, '_', ' ')), 'compared instead: ' || used_instead
    ) as comparability_reasons
from excluded_pairs
where b_submission_id is not null
order by all
