select
    submission_id as id, title, submitted_by, submitted_on, status, status_reason, licence, source_type, affiliation,
    citation_title, citation_publisher, citation_version, citation_date, citation_url, citation_language,
    origin_measured_by, origin_repository, origin_commit, origin_path, origin_licence
from submissions
order by id
