-- Full latency distribution, where a tool reports bins: share of operations that take longer than the upper edge of each bin,
-- for the smallest random reads, at queue depth 1, 8 and 64, one curve per run. Twelve edges per decade.
with counted as (
    select
        results.submission_id, results.workload_id, results.load_profile, results.operation, results.queue_depth,
        results.repetition_index, results.result_id, results.device, results.device_id, latency_high_seconds,
        latency_bins.operation_count,
        sum(latency_bins.operation_count) over (partition by results.result_id) as total_count,
        sum(latency_bins.operation_count) over (partition by results.result_id order by latency_high_seconds) as faster_count
    from latency_bins
    inner join results using (result_id)
    where results.queue_depth in (1, 8, 64) and latency_bins.latency_kind = 'completion'
),

favourite as (
    select submission_id, workload_id, operation
    from counted
    inner join workloads using (workload_id)
    group by submission_id, workload_id, operation
    order by
        operation = 'read' desc, min(access_pattern), count(distinct result_id) desc, min(block_size_bytes),
        submission_id, workload_id
    limit 1
),

shares as (
    select *, 1 - faster_count / total_count as share_slower
    from counted
    inner join favourite using (submission_id, workload_id, operation)
)

select
    submission_id, load_profile, operation, queue_depth, repetition_index, result_id, device, device_id,
    latency_high_seconds as latency_seconds, round(share_slower, 9) as share_slower
from shares
where share_slower > 0
qualify row_number() over (
    partition by result_id, floor(12 * log10(share_slower)) order by latency_high_seconds
) = 1
order by queue_depth, repetition_index, result_id, latency_seconds
