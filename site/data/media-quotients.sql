-- Quotients of peaks between media that were measured together: the same part of one publication, or tool output.
-- Random load profiles are compared by IOPS, sequential ones by throughput; of two media the faster one is A.
with compared as (
    select quotients.*
    from quotients
    inner join load_profiles using (load_profile_id)
    where quotients.basis = 'peak'
        and quotients.a_section = quotients.b_section
        and (quotients.a_submission_id = quotients.b_submission_id or quotients.a_section = 'tool output')
        and quotients.a_media_class <> quotients.b_media_class
        and quotients.metric = case load_profiles.access_pattern
            when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
        end
),

pairs as (
    select a_configuration_id, b_configuration_id, avg(ln(quotient_ratio)) as mean_logarithm
    from compared
    group by a_configuration_id, b_configuration_id
)

select
    load_profile, metric, a_submission_id, a_configuration_id, a_device, a_media_class,
    b_configuration_id, b_device, b_media_class, a_value, b_value, quotient_ratio,
    comparability_grade, comparability_reasons, a_conditions, b_conditions
from compared
inner join pairs using (a_configuration_id, b_configuration_id)
where mean_logarithm > 0
order by mean_logarithm desc, a_configuration_id, b_configuration_id, load_profile
