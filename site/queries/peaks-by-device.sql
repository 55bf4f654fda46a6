-- Peaks by device: the highest rate of every configuration, with the queue depth where it stands.
select load_profile, device, storage_topology, metric, peak_value, queue_depth, peak_origin, submission_id
from peaks
order by load_profile, metric, peak_value desc
