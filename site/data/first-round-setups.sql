-- Every setup that was measured in rounds: drive, specimen, rounds per series, and the verdicts of its steady windows.
select
    steady_windows.submission_id, steady_windows.configuration_id, configurations.title, configurations.device_id,
    configurations.device, configurations.drive_specimen,
    count(*) as series_count,
    median(steady_windows.round_count) as round_count,
    max(steady_windows.round_count) as most_rounds,
    median(steady_windows.first_steady_round) as steady_round,
    count(*) filter (where abs(steady_windows.first_ratio - 1) > 0.1) as off_count,
    count(*) filter (where steady_windows.verdict = 'steady') as steady_count,
    count(*) filter (where steady_windows.verdict = 'not_steady') as unsteady_count,
    count(*) filter (where steady_windows.verdict = 'broken') as broken_count
from steady_windows
inner join configurations using (submission_id, configuration_id)
group by all
order by steady_windows.submission_id, steady_windows.configuration_id
