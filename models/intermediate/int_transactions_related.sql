with figures as (

    select * from {{ source('raw', 'figures') }}

),

results as (

    select * from {{ source('raw', 'results') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select max(limit_value) filter (where limit_id = 'transaction_spread') as transaction_spread
    from known_limits

),

transactions as (

    select
        submission_id,
        configuration_id,
        load_profile,
        section,
        printed_value as transactions_per_second
    from figures
    where quantity = 'transactions_per_second' and is_canonical and record_kind = 'measured' and printed_value > 0

),

measured as (

    select
        submission_id,
        configuration_id,
        max(operations_per_second) as operations_per_second,
        max(latency_mean_seconds) as latency_mean_seconds
    from results
    where scope = 'publication' and is_canonical and statistic = 'mean'
    group by submission_id, configuration_id

),

joined as (

    select
        transactions.*,
        configurations.drive_count,
        configurations.process_count,
        measured.operations_per_second,
        measured.latency_mean_seconds,
        transactions.transactions_per_second / configurations.drive_count as transactions_per_drive_per_second,
        measured.operations_per_second / transactions.transactions_per_second as operations_per_transaction_ratio,
        transactions.transactions_per_second * measured.latency_mean_seconds as concurrency_value
    from transactions
    inner join configurations
        on
            transactions.submission_id = configurations.submission_id
            and transactions.configuration_id = configurations.configuration_id
    left join measured
        on
            transactions.submission_id = measured.submission_id
            and transactions.configuration_id = measured.configuration_id

),

final as (

    select
        joined.* exclude (load_profile),
        min(joined.operations_per_transaction_ratio) over whole_submission * limits.transaction_spread
            as operations_per_transaction_limit,
        max(joined.operations_per_transaction_ratio) over whole_submission
        / min(joined.operations_per_transaction_ratio) over whole_submission as spread_ratio,
        max(joined.operations_per_transaction_ratio) over whole_submission
        <= limits.transaction_spread * min(joined.operations_per_transaction_ratio) over whole_submission as is_stable
    from joined
    cross join limits
    window whole_submission as (partition by joined.submission_id, joined.load_profile)

)

select * from final
