-- Two specimens of one model on the same host with the same settings: per pair of setups, the ratio of IOPS, B to A, over all
-- workloads that both measured. What the source doubts of a setup is stated.
with setups as (
    select
        submission_id, configuration_id, title, bench_key, configurations.device_id, configurations.device, drive_specimen,
        coalesce(string_agg(distinct concat(settings.scope, '.', settings.name, '=', settings.value), '; '), '') as settings,
        any_value(reservations.reason) as doubt
    from configurations
    left join raw.settings as settings using (submission_id, configuration_id)
    left join (from raw.reservations where kind = 'doubtful') as reservations using (submission_id, configuration_id)
    where drive_specimen is not null and bench_key is not null
    group by all
)

select
    a.submission_id, a.device_id, a.device, a.drive_specimen as a_specimen, b.drive_specimen as b_specimen,
    a.configuration_id as a_configuration_id, a.title as a_title, b.configuration_id as b_configuration_id, b.title as b_title,
    coalesce(b.doubt, a.doubt) as doubt, count(*) as workload_count,
    count(*) filter (where quotients.verdict = 'A faster') as slower_count,
    count(*) filter (where quotients.verdict = 'B faster') as faster_count,
    median(1 / quotients.ratio) as ratio, min(1 / quotients.ratio) as ratio_low, max(1 / quotients.ratio) as ratio_high
from quotients
semi join pairs on quotients.pair_id = pairs.pair_id and pairs.differing_count = 0
inner join setups as a on (a_submission_id, a_configuration_id) = (a.submission_id, a.configuration_id)
inner join setups as b on (b_submission_id, b_configuration_id) = (b.submission_id, b.configuration_id)
where
    quotients.metric = 'operations_per_second' and a.bench_key = b.bench_key and a.device_id = b.device_id
    and a.drive_specimen < b.drive_specimen and a.settings = b.settings
group by all
order by a.device_id, a_specimen, b_specimen, workload_count desc, a_configuration_id, b_configuration_id
