-- Quotients of peaks between media that were measured together: the same part of one publication, or tool output of one
-- submission; of two submissions only where the grade is A or B. For the loads that several sources measure. Of two media
-- at most six pairs: those of the best grade, and of these those with the most load profiles.
-- Random load profiles are compared by IOPS, sequential ones by throughput; of two media the faster one is A.
with compared as (
    select quotients.*
    from quotients
    inner join workloads using (workload_id)
    where quotients.basis = 'peak'
        and quotients.a_section = quotients.b_section
        and (
            quotients.a_submission_id = quotients.b_submission_id
            or quotients.a_section = 'tool output' and quotients.comparability_grade in ('A', 'B')
        )
        and 'other' not in (quotients.a_media_class, quotients.b_media_class)
        and (workloads.is_listed or quotients.load_profile in ('4 KiB random read', '4 KiB random write'))
        and quotients.quotient_ratio is not null
        and quotients.a_media_class <> quotients.b_media_class
        and quotients.metric = case workloads.access_pattern
            when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
        end
),

pairs as (
    select
        a_submission_id, a_configuration_id, b_submission_id, b_configuration_id, a_media_class, b_media_class,
        max(comparability_grade) as worst_grade, count(*) as profile_count, avg(ln(quotient_ratio)) as mean_logarithm
    from compared
    group by all
),

shown as (
    select *
    from pairs
    where mean_logarithm > 0
    qualify row_number() over (
        partition by a_media_class, b_media_class
        order by
            worst_grade, profile_count desc, mean_logarithm desc, a_submission_id, a_configuration_id, b_submission_id,
            b_configuration_id
    ) <= 6
)

select
    compared.load_profile, compared.metric, compared.a_submission_id, compared.a_configuration_id, compared.a_device,
    compared.a_media_class, compared.b_configuration_id, compared.b_device, compared.b_media_class,
    compared.a_value, compared.b_value, compared.quotient_ratio, compared.comparability_grade,
    compared.comparability_reasons, compared.verdict, compared.a_conditions, compared.b_conditions,
    summaries.geomean_ratio, summaries.lowest_ratio, summaries.highest_ratio,
    summaries.comparability_grade as summary_grade, summaries.comparability_reasons as summary_reasons, summaries.verdict as summary_verdict
from compared
inner join shown using (a_submission_id, a_configuration_id, b_submission_id, b_configuration_id)
left join quotient_summaries as summaries
    on compared.a_submission_id = summaries.a_submission_id
    and compared.a_configuration_id = summaries.a_configuration_id
    and compared.a_section = summaries.a_section
    and compared.b_submission_id = summaries.b_submission_id
    and compared.b_configuration_id = summaries.b_configuration_id
    and compared.b_section = summaries.b_section
    and summaries.basis = 'peak' and summaries.profile_set_id = 'application-types'
order by summaries.geomean_ratio is null, shown.mean_logarithm desc, compared.a_configuration_id, compared.b_configuration_id, compared.load_profile
