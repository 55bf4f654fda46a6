-- Consistency of transactions: I/Os per transaction, transactions per drive, and transactions in flight beside the
-- stated number of users.
with checks as (
    select
        submission_id, configuration_id, section,
        max(quantity_value) filter (where quantity_name = 'operations_per_transaction_ratio') as operations_per_transaction_ratio,
        max(limit_value) filter (where quantity_name = 'operations_per_transaction_ratio') as operations_per_transaction_limit,
        max(quantity_value) filter (where quantity_name = 'transactions_under_way') as concurrency_value,
        bool_and(verdict = 'stable') filter (where quantity_name = 'operations_per_transaction_ratio') as is_stable
    from validity_checks
    where check_name = 'transactions'
    group by all
)

select
    checks.*, title, media_class, conditions, drive_count, configurations.process_count,
    printed_value as transactions_per_second, printed_value / drive_count as transactions_per_drive_per_second,
    operations_per_transaction_ratio * printed_value as operations_per_second,
    concurrency_value / printed_value as latency_mean_seconds
from checks
inner join configurations using (submission_id, configuration_id)
inner join figures using (submission_id, configuration_id, section)
where quantity = 'transactions_per_second' and is_canonical
order by submission_id, transactions_per_second, configuration_id
