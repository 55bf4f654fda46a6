-- I/Os per transaction, transactions per drive, and transactions under way beside the users that are stated.
select
    checks.submission_id, checks.configuration_id, checks.section, configurations.title, configurations.media_class,
    configurations.conditions, checks.drive_count, checks.process_count, checks.transactions_per_second,
    checks.transactions_per_drive_per_second, checks.operations_per_second, checks.latency_mean_seconds,
    checks.operations_per_transaction_ratio, checks.concurrency_value, checks.spread_ratio, checks.is_stable
from transaction_checks as checks
inner join configurations using (submission_id, configuration_id)
order by checks.submission_id, checks.transactions_per_second, checks.configuration_id
