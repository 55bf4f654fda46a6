-- Every quotient of two configurations with its grade, and the pairs of grade X, which have values but no quotient.
select
    load_profile, metric, basis, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
    b_section, a_value, b_value, quotient_ratio, comparability_grade, comparability_reasons,
    comparability_waivers
from quotients
union all by name
select
    load_profile, metric, basis, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
    b_section, a_value, b_value, null::double as quotient_ratio, 'X' as comparability_grade, comparability_reasons,
    comparability_waivers
from excluded_pairs
order by all
