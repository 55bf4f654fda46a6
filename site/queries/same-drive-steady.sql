-- Steady state: whether a log of samples is steady by the rule of the SNIA performance test specification.
select
    checks.submission_id, checks.configuration_id, subject,
    max(quantity_value) filter (where quantity_name = 'range_ratio') as range_ratio,
    max(quantity_value) filter (where quantity_name = 'excursion_ratio') as excursion_ratio,
    case when count(quantity_value) = 2 then bool_and(verdict = 'steady') end as is_steady,
    files.path as source_path, title, conditions
from validity_checks as checks
inner join files on checks.file_id = files.file_id
left join configurations
    on (checks.submission_id, checks.configuration_id) = (configurations.submission_id, configurations.configuration_id)
where check_name = 'steady'
group by all
order by checks.submission_id, checks.configuration_id, files.path, subject
