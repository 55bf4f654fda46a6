with standing as (
    select submission_id from submissions where status in ('active', 'disputed')
)

select
    (select count(*) from standing) as submission_count,
    (select count(*) from submissions anti join standing using (submission_id)) as left_out_count,
    (select count(distinct device_id) from drives inner join standing using (submission_id)) as device_count,
    (select count(*) from results) as result_count,
    (select count(*) from files inner join standing using (submission_id) where document_index is null) as file_count
