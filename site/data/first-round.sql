-- First round of each series relative to the mean of its last five, by block size and share of reads: median over the series,
-- number of first rounds that are more than 10 % off, and how many of these are too low.
select
    access_pattern, queue_depth, block_size_bytes, read_ratio, count(*) as series_count,
    count(*) filter (where abs(steady_windows.first_ratio - 1) > 0.1) as off_count,
    count(*) filter (where steady_windows.first_ratio < 0.9) as low_count,
    count(*) filter (where verdict = 'steady') as steady_count, count(*) filter (where verdict = 'not_steady') as unsteady_count,
    median(steady_windows.first_ratio) as first_ratio, median(first_steady_round) as steady_round,
    max(first_steady_round) as most_steady_round
from steady_windows
inner join workloads using (workload_id)
where block_size_bytes is not null
group by all
order by access_pattern, queue_depth, block_size_bytes, read_ratio
