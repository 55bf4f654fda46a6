-- The configurations that can be chosen, with the device that stores their data and the number of configurations that
-- each can be compared with.
with compared as (
    select
        a_submission_id as submission_id, a_configuration_id as configuration_id,
        count(distinct b_submission_id || '/' || b_configuration_id) as partner_count
    from quotients
    group by all
)

select
    submission_id, configuration_id, configurations.title, device_id,
    coalesce(devices.short_name, configurations.device) as device, configurations.media_class, compared.partner_count
from configurations
left join devices using (device_id)
left join compared using (submission_id, configuration_id)
order by configurations.media_class, device, device_id, submission_id, configuration_id
