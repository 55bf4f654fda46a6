-- I/Os per transaction, transactions per drive, and transactions in flight beside the stated number of users.
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
    checks.submission_id, checks.configuration_id, checks.section, configurations.title, configurations.media_class,
    configurations.conditions, configurations.drive_count, configurations.process_count,
    figures.printed_value as transactions_per_second,
    figures.printed_value / configurations.drive_count as transactions_per_drive_per_second,
    checks.operations_per_transaction_ratio * figures.printed_value as operations_per_second,
    checks.concurrency_value / figures.printed_value as latency_mean_seconds,
    checks.operations_per_transaction_ratio, checks.operations_per_transaction_limit, checks.concurrency_value,
    checks.is_stable
from checks
inner join configurations using (submission_id, configuration_id)
inner join figures
    on
        checks.submission_id = figures.submission_id and checks.configuration_id = figures.configuration_id
        and checks.section = figures.section and figures.quantity = 'transactions_per_second' and figures.is_canonical
order by checks.submission_id, transactions_per_second, checks.configuration_id
