select
    submission_id as id, title, submitted_on, citation_title, citation_publisher, origin_repository, origin_commit
from submissions
order by id
