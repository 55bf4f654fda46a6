-- Every submission, newest first.
select
    submission_id, title, submitted_by, submitted_on, tested_on, citation_publisher, citation_date, licence, source_type,
    origin_measured_by,
    status, result_count, figure_count, source_count, contradiction_count, completeness_ratio, devices, media_classes
from submissions
order by submitted_on desc, submission_id desc
