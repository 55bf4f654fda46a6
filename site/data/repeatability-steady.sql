-- Whether a log of samples is steady by the criterion of the SNIA performance test specification.
select
    states.submission_id, states.configuration_id, states.operation, states.quantity, states.sample_count,
    states.round_count, states.mean_value, states.range_ratio, states.excursion_ratio, states.is_steady,
    files.path as source_path, configurations.title, configurations.conditions
from steady_states as states
inner join files using (file_id)
left join configurations
    on states.submission_id = configurations.submission_id and states.configuration_id = configurations.configuration_id
order by states.submission_id, states.configuration_id, files.path, states.operation, states.quantity
