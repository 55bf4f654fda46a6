-- The newest submissions, with who measured and the share of known conditions.
select
    submission_id, title, submitted_by, submitted_on, citation_publisher, origin_measured_by, source_type, status,
    result_count, figure_count, completeness_ratio
from submissions
order by submitted_on desc, submission_id desc
limit 6
