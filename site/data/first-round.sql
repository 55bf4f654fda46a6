-- First round of each series relative to the mean of its last five, by block size and share of reads: median over the series,
-- number of first rounds that are more than 10 % off, and how many of these are too low.
select
    workloads.access_pattern, steady_windows.queue_depth, workloads.block_size_bytes, workloads.read_ratio,
    count(*) as series_count,
    count(*) filter (where abs(steady_windows.first_ratio - 1) > 0.1) as off_count,
    count(*) filter (where steady_windows.first_ratio < 0.9) as low_count,
    count(*) filter (where steady_windows.verdict = 'steady') as steady_count,
    count(*) filter (where steady_windows.verdict = 'not_steady') as unsteady_count,
    median(steady_windows.first_ratio) as first_ratio,
    median(steady_windows.first_steady_round) as steady_round,
    max(steady_windows.first_steady_round) as most_steady_round
from steady_windows
inner join workloads using (workload_id)
where workloads.block_size_bytes is not null
group by workloads.access_pattern, steady_windows.queue_depth, workloads.block_size_bytes, workloads.read_ratio
order by workloads.access_pattern, steady_windows.queue_depth, workloads.block_size_bytes, workloads.read_ratio
