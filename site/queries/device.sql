-- Everything about a device: properties, peaks and points of one device. Replace the name in the first line.
with wanted as (select 'intel-dc-p3700-800gb' as device_id),
overview as (
    unpivot (select columns(*)::varchar from devices where device_id in (from wanted)) on columns(*) into name what value found
),
told as (
    select 'overview' as part, what, found, null as unit, null as place from overview
    union all
    select 'fact, ' || how_known, component || ' ' || field, value, unit, submission_id || ', ' || locator
    from facts
    where subject in (from wanted)
    union all
    select 'peak', load_profile || ', ' || storage_topology, peak_value::varchar, metric, submission_id || '/' || configuration_id
    from peaks
    where device_id in (from wanted)
    union all
    select 'latency', load_profile || ', queue depth ' || queue_depth, latency_mean_seconds::varchar, 'seconds',
        submission_id || '/' || configuration_id
    from points
    where device_key in (select left(md5(device_id), 8) from wanted) and device_id in (from wanted)
        and latency_mean_seconds is not null
)
from told
order by part = 'overview' desc, part, what, found, place
