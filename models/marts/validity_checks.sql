with runs_checked as (

    select * from {{ ref('int_runs_checked') }}

),

limits_compared as (

    select * from {{ ref('int_limits_compared') }}

),

percentiles as (

    select * from {{ ref('int_percentiles_supported') }}

),

rounds as (

    select * from {{ ref('int_rounds_summarised') }}

),

transactions as (

    select * from {{ ref('int_transactions_related') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

reservations as (

    select * from {{ ref('int_reservations_matched') }}

),

processes as (

    select distinct repetition_id
    from {{ source('raw', 'results') }}
    where scope = 'process'

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'steady_range') as steady_range,
        max(limit_value) filter (where limit_id = 'steady_excursion') as steady_excursion
    from known_limits

),

unsupported as (

    -- the kinds of latency of one result share its operations
    select
        result_id,
        percentile_ratio,
        min(repetition_id) as repetition_id,
        min(slower_count) as slower_count,
        min(percentile_support) as percentile_support
    from percentiles
    where not is_supported
    group by result_id, percentile_ratio

),

steady as (

    select
        rounds.*,
        unnest(['range_ratio', 'excursion_ratio']) as quantity_name,
        unnest([rounds.range_ratio, rounds.excursion_ratio]) as quantity_value,
        unnest([limits.steady_range, limits.steady_excursion]) as limit_value,
        unnest([rounds.is_range_kept, rounds.is_excursion_kept]) as is_kept
    from rounds
    inner join submissions on rounds.submission_id = submissions.submission_id
    cross join limits
    where submissions.status in ('active', 'disputed')

),

related as (

    select
        submission_id,
        configuration_id,
        section,
        'operations_per_transaction_ratio' as quantity_name,
        operations_per_transaction_ratio as quantity_value,
        operations_per_transaction_limit as limit_value,
        'ratio' as unit,
        if(operations_per_transaction_ratio <= operations_per_transaction_limit, 'stable', 'not stable') as verdict
    from transactions
    where operations_per_transaction_ratio is not null
    union all
    select
        submission_id,
        configuration_id,
        section,
        'transactions_under_way' as quantity_name,
        concurrency_value as quantity_value,
        process_count as limit_value,
        'count' as unit,
        case
            when process_count is null then 'users unknown'
            when concurrency_value < process_count then 'fewer under way than users'
            else 'as many under way as users'
        end as verdict
    from transactions
    where concurrency_value is not null

),

of_repetitions as (

    select
        repetition_id,
        null as result_id,
        null as figure_id,
        metric,
        check_name,
        quantity_name,
        '' as subject,
        quantity_value,
        limit_value,
        unit,
        verdict,
        effect,
        is_lower_bound,
        reasons
    from runs_checked
    union all
    select
        repetition_id,
        null as result_id,
        figure_id,
        null as metric,
        if(limit_kind = 'stated_throughput', 'stated limit', 'cache') as check_name,
        case limit_kind
            when 'stated_throughput' then 'throughput_bytes_per_second'
            when 'line_rate' then 'throughput_bytes_per_second'
            else 'latency_mean_seconds'
        end as quantity_name,
        coalesce(figure_id, replace(limit_kind, '_', ' ')) as subject,
        checked_value as quantity_value,
        limit_value,
        if(limit_kind in ('stated_throughput', 'line_rate'), 'bytes per second', 'seconds') as unit,
        case
            when limit_kind <> 'stated_throughput' then if(is_within_limit, 'not from a cache', 'served by a cache')
            when is_within_limit then 'within the stated limit'
            else 'beyond the stated limit'
        end as verdict,
        case when not is_within_limit and limit_kind <> 'stated_throughput' then 'X' end as effect,
        false as is_lower_bound,
        '' as reasons
    from limits_compared
    union all
    select
        repetition_id,
        result_id,
        null as figure_id,
        'latency_percentile_seconds' as metric,
        'percentile support' as check_name,
        'slower_count' as quantity_name,
        cast(percentile_ratio as varchar) as subject,
        slower_count as quantity_value,
        percentile_support as limit_value,
        'count' as unit,
        'too few operations for the percentile' as verdict,
        'X' as effect,
        false as is_lower_bound,
        '' as reasons
    from unsupported
    union all
    select
        repetition_id,
        null as result_id,
        null as figure_id,
        null as metric,
        'reservation' as check_name,
        'reservation' as quantity_name,
        subject,
        null as quantity_value,
        null as limit_value,
        'count' as unit,
        verdict,
        effect,
        is_lower_bound,
        reasons
    from reservations
    union all
    select
        repetition_id,
        null as result_id,
        null as figure_id,
        null as metric,
        'whole load' as check_name,
        'process_count' as quantity_name,
        '' as subject,
        null as quantity_value,
        null as limit_value,
        'count' as unit,
        'one of several processes' as verdict,
        'X' as effect,
        false as is_lower_bound,
        'the others ran at the same time and are in files of their own' as reasons
    from processes

),

combined as (

    select
        of_repetitions.repetition_id,
        of_repetitions.result_id,
        repetitions.file_id,
        of_repetitions.figure_id,
        repetitions.submission_id,
        repetitions.configuration_id,
        repetitions.section,
        repetitions.workload_id,
        repetitions.queue_depth,
        of_repetitions.metric,
        of_repetitions.check_name,
        of_repetitions.quantity_name,
        of_repetitions.subject,
        of_repetitions.quantity_value,
        of_repetitions.limit_value,
        of_repetitions.unit,
        of_repetitions.verdict,
        of_repetitions.effect,
        of_repetitions.is_lower_bound,
        of_repetitions.reasons
    from of_repetitions
    inner join repetitions on of_repetitions.repetition_id = repetitions.repetition_id
    union all
    select
        repetitions.repetition_id,
        null as result_id,
        steady.file_id,
        null as figure_id,
        steady.submission_id,
        steady.configuration_id,
        coalesce(repetitions.section, 'log') as section,
        repetitions.workload_id,
        repetitions.queue_depth,
        null as metric,
        'steady' as check_name,
        steady.quantity_name,
        concat(steady.operation, ', ', replace(steady.quantity, '_', ' ')) as subject,
        steady.quantity_value,
        steady.limit_value,
        'ratio' as unit,
        case
            when steady.is_kept is null then 'too few rounds to tell'
            when steady.is_kept then 'steady'
            else 'not steady'
        end as verdict,
        -- reads change nothing on a drive that a later read would find
        case when not steady.is_kept and steady.operation in ('write', 'all') then 'B' end as effect,
        false as is_lower_bound,
        '' as reasons
    from steady
    left join repetitions on steady.repetition_id = repetitions.repetition_id
    union all
    select
        null as repetition_id,
        null as result_id,
        null as file_id,
        null as figure_id,
        submission_id,
        configuration_id,
        section,
        null as workload_id,
        null as queue_depth,
        null as metric,
        'transactions' as check_name,
        quantity_name,
        '' as subject,
        quantity_value,
        limit_value,
        unit,
        verdict,
        null as effect,
        false as is_lower_bound,
        '' as reasons
    from related

),

-- twelve digits: those behind them differ between processors and the order of sums
final as (

    select * replace (cast(format('{:.11e}', quantity_value) as double) as quantity_value)
    from combined

)

select * from final
