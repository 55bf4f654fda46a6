-- Every submission, newest first.
select
    submission_id, title, submitted_by, submitted_on, citation_publisher, citation_date, licence, source_type, affiliation,
    origin_measured_by, status, result_count, figure_count, claim_count, contradiction_count, configuration_count,
    device_count, completeness_ratio, media_classes
from submissions
order by submitted_on desc, submission_id desc
