-- Sweeps described by the universal scalability law: random load profiles by IOPS, sequential ones by throughput.
select
    laws.workload_id, laws.submission_id, laws.configuration_id, laws.section, laws.load_profile, laws.metric,
    laws.device,
    laws.depth_count, laws.queue_depth_high, laws.verdict, laws.largest_error_ratio, laws.rate_at_one_value,
    laws.contention_ratio, laws.coherency_ratio, laws.queue_depth_peak_value
from curve_fits as laws
inner join workloads using (workload_id)
where laws.model = 'scalability law' and laws.metric = case workloads.access_pattern
    when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second'
end
order by laws.load_profile, laws.submission_id, laws.configuration_id, laws.section, laws.workload_id, laws.load_basis
