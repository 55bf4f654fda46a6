-- Every setup that was measured in rounds: drive, specimen, rounds per series, and the verdicts of its steady windows.
select
    submission_id, configuration_id, title, device_id, device, drive_specimen, count(*) as series_count,
    median(round_count) as round_count, max(round_count) as most_rounds, median(first_steady_round) as steady_round,
    count(*) filter (where abs(first_ratio - 1) > 0.1) as off_count, count(*) filter (where verdict = 'steady') as steady_count,
    count(*) filter (where verdict = 'not_steady') as unsteady_count, count(*) filter (where verdict = 'broken') as broken_count
from steady_windows
inner join configurations using (submission_id, configuration_id)
group by all
order by submission_id, configuration_id
