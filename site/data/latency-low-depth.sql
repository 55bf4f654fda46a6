-- Who is ahead while little is outstanding: quotients at queue depth 1, 2 and 4 beside the quotient of the peaks.
-- Every pair stands once; A is the one that is ahead at low depth.
with at_the_peak as (
    select
        workload_id, metric, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
        b_section, comparability_grade as peak_grade
    from quotients
    where basis = 'peak'
)

select
    advantages.load_profile, advantages.metric, advantages.a_submission_id, advantages.a_configuration_id,
    advantages.a_device, advantages.b_submission_id, advantages.b_configuration_id, advantages.b_device,
    advantages.queue_depths, advantages.advantage_ratio, advantages.lowest_ratio, advantages.highest_ratio,
    advantages.peak_ratio, advantages.is_sign_flipped, advantages.comparability_grade, advantages.comparability_reasons,
    advantages.comparability_waivers, at_the_peak.peak_grade
from low_depth_advantages as advantages
left join at_the_peak using (
    workload_id, metric, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id, b_section
)
inner join workloads using (workload_id)
where advantages.metric = case workloads.access_pattern
        when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
    end
    and coalesce(advantages.advantage_ratio, advantages.lowest_ratio) >= 1
order by advantages.load_profile, advantages.a_device, advantages.b_device, advantages.a_section, advantages.b_section
