-- Difference between IOPS × mean latency and the queue depth, by submission: results in bins, three to a factor of 4, so that
-- 5 % and 20 % are edges; bin 0 begins at 5 %.
with counted as (
    select
        submission_id, count(*) as result_count, count(*) filter (where verdict = 'depth nearly reached') as nearly_count,
        count(*) filter (where verdict = 'depth not reached') as missed_count,
        greatest(cast(floor(ln(greatest(abs(quantity_value - 1), 1e-9) / 0.05) / ln(4) * 3) as bigint), -12) as bin
    from validity_checks
    where quantity_name = 'achieved_depth_ratio'
    group by submission_id, bin
)

select
    submission_id, title, sum(counted.result_count) over own as total_count,
    coalesce(sum(counted.result_count) filter (where bin < 0) over own, 0) as consistent_count,
    sum(nearly_count) over own as nearly_count, sum(missed_count) over own as missed_count, bin, counted.result_count
from counted
inner join submissions using (submission_id)
window own as (partition by submission_id)
order by total_count desc, submission_id, bin
