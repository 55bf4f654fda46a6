select
    (select count(*) from submissions) as submission_count,
    (select count(distinct device_id) from drives) as device_count,
    (select count(*) from results) as result_count,
    (select count(*) from sources) as file_count
