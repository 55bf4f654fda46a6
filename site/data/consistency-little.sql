-- Rate times mean latency over the queue depth, minus one, for every measured point that states both.
select
    laws.submission_id, laws.configuration_id, laws.section, laws.load_profile, laws.repetition_index, laws.queue_depth,
    configurations.media_class, laws.residual_ratio, laws.verdict, laws.reasons, laws.latency_kind
from littles_law as laws
inner join configurations using (submission_id, configuration_id)
where laws.residual_ratio is not null
order by
    laws.load_profile, laws.submission_id, laws.configuration_id, laws.section, laws.queue_depth, laws.repetition_index
