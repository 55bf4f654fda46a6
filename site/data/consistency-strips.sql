-- Difference between IOPS × mean latency and the queue depth, by submission: results in bins, three to a factor of 4, so that
-- 5 % and 20 % are edges; bin 0 begins at 5 %.
with checked as (
    select
        submission_id, quantity_value, verdict,
        greatest(cast(floor(ln(greatest(abs(quantity_value - 1), 1e-9) / 0.05) / ln(4) * 3) as bigint), -12) as bin
    from validity_checks
    where quantity_name = 'achieved_depth_ratio'
),

counted as (
    select submission_id, bin, count(*) as result_count
    from checked
    group by submission_id, bin
),

totals as (
    select
        submission_id, count(*) as total_count, count(*) filter (where bin < 0) as consistent_count,
        count(*) filter (where verdict = 'depth nearly reached') as nearly_count,
        count(*) filter (where verdict = 'depth not reached') as missed_count
    from checked
    group by submission_id
)

select submission_id, title, total_count, consistent_count, nearly_count, missed_count, bin,
    counted.result_count
from counted
inner join totals using (submission_id)
inner join submissions using (submission_id)
order by total_count desc, submission_id, bin
