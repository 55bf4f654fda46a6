-- Peaks by device: highest value of every configuration, with its queue depth.
select load_profile, device, storage_topology, metric, peak_value, queue_depth, peak_origin, submission_id
from peaks
order by load_profile, metric, peak_value desc
