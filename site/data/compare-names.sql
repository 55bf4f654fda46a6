-- The configurations that can be put side by side, with the words a reader knows them by.
select submission_id, configuration_id, title, device, media_class, conditions
from configurations
order by submission_id, configuration_id
