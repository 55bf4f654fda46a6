-- Rate times mean latency over the queue depth, minus one, for every measured run that states both. A load has the name
-- of a profile only where its source states that name.
with named as (
    select distinct results.submission_id, results.workload_id
    from results
    inner join workloads on results.workload_id = workloads.workload_id
    where lower(results.stated_load_profile) = lower(workloads.load_profile)
)

select
    checks.submission_id, checks.configuration_id, checks.section,
    case
        when workloads.is_listed and workloads.is_complete and named.workload_id is null
            then concat(
                workloads.block_size_bytes // 1024, ' KiB ', workloads.access_pattern,
                case workloads.read_ratio
                    when 1 then ' read'
                    when 0 then ' write'
                    else concat(', ', cast(round(100 * workloads.read_ratio) as integer), ' % read')
                end
            )
        else workloads.load_profile
    end as load_profile,
    repetitions.repetition_index, checks.queue_depth, configurations.media_class,
    checks.quantity_value - 1 as residual_ratio, checks.verdict, checks.reasons, repetitions.latency_kind
from validity_checks as checks
inner join configurations using (submission_id, configuration_id)
inner join repetitions using (repetition_id)
inner join workloads on checks.workload_id = workloads.workload_id
left join named on checks.submission_id = named.submission_id and checks.workload_id = named.workload_id
where checks.quantity_name = 'achieved_depth_ratio'
order by
    workloads.load_profile, checks.submission_id, checks.configuration_id, checks.section, checks.queue_depth,
    repetitions.repetition_index
