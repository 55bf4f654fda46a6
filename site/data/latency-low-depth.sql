-- Who is ahead while little is outstanding: the geometric mean of the quotients at queue depths 1, 2 and 4 beside the
-- quotient of the peaks. Every pair stands once; A is the one that is ahead at low depth.
with members as (
    select
        workload_id, metric, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
        b_section, string_agg(queue_depth, ', ' order by queue_depth) as queue_depths,
        min(quotient_ratio) as lowest_ratio, max(quotient_ratio) as highest_ratio
    from quotients
    where queue_depth in (1, 2, 4)
    group by all
),

at_the_peak as (
    select
        workload_id, metric, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
        b_section, comparability_grade as peak_grade, quotient_ratio as peak_ratio
    from quotients
    where basis = 'peak'
)

select
    means.workload_id, means.load_profile, means.metric, means.a_submission_id, means.a_configuration_id, means.a_device,
    means.b_submission_id, means.b_configuration_id, means.b_device, members.queue_depths,
    means.quotient_ratio as advantage_ratio, members.lowest_ratio, members.highest_ratio, at_the_peak.peak_ratio,
    (members.lowest_ratio > 1 and at_the_peak.peak_ratio < 1)
    or (members.highest_ratio < 1 and at_the_peak.peak_ratio > 1) as is_sign_flipped,
    means.comparability_grade, means.comparability_reasons, means.verdict, at_the_peak.peak_grade
from quotients as means
inner join members using (
    workload_id, metric, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id, b_section
)
left join at_the_peak using (
    workload_id, metric, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id, b_section
)
inner join workloads using (workload_id)
where means.basis = 'low_depth'
    and means.metric = case workloads.access_pattern
        when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
    end
    and coalesce(means.quotient_ratio, members.lowest_ratio) >= 1
order by
    means.load_profile, means.a_device, means.b_device, means.a_section, means.b_section, means.workload_id, means.metric,
    means.a_submission_id, means.a_configuration_id, means.b_submission_id, means.b_configuration_id
