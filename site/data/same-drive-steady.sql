-- Whether a log of samples is steady by the rule of the SNIA performance test specification.
select
    checks.submission_id, checks.configuration_id, checks.subject,
    max(checks.quantity_value) filter (where checks.quantity_name = 'range_ratio') as range_ratio,
    max(checks.quantity_value) filter (where checks.quantity_name = 'excursion_ratio') as excursion_ratio,
    case when count(checks.quantity_value) = 2 then bool_and(checks.verdict = 'steady') end as is_steady,
    files.path as source_path, configurations.title, configurations.conditions
from validity_checks as checks
inner join files on checks.file_id = files.file_id
left join configurations
    on checks.submission_id = configurations.submission_id and checks.configuration_id = configurations.configuration_id
where checks.check_name = 'steady'
group by all
order by checks.submission_id, checks.configuration_id, files.path, checks.subject
