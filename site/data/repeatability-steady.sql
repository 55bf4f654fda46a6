-- Whether a log of samples is steady by the criterion of the SNIA performance test specification.
select
    states.submission_id, states.configuration_id, states.operation, states.quantity, states.sample_count,
    states.round_count, states.mean_value, states.range_ratio, states.excursion_ratio, states.is_steady,
    sources.source_path, configurations.title, configurations.conditions
from steady_states as states
inner join sources using (submission_id, source_sha256)
left join configurations
    on states.submission_id = configurations.submission_id and states.configuration_id = configurations.configuration_id
where sources.tool is not null
order by states.submission_id, states.configuration_id, sources.source_path, states.operation, states.quantity
