with runs_checked as (

    select * from {{ ref('int_runs_checked') }}

),

latency_percentiles as (

    select * from {{ source('raw', 'latency_percentiles') }}

),

qualified as (

    select * from {{ ref('int_results_qualified') }}

),

results as (

    select * from {{ source('raw', 'results') }}

),

figures as (

    select * from {{ source('raw', 'figures') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

storage as (

    select * from {{ ref('int_storage_rated') }}

),

rounds as (

    select * from {{ ref('int_rounds_summarised') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

reservations as (

    select * from {{ ref('int_reservations_matched') }}

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
        max(limit_value) filter (where limit_id = 'steady_excursion') as steady_excursion,
        max(limit_value) filter (where limit_id = 'percentile_support') as percentile_support,
        max(limit_value) filter (where limit_id = 'transaction_spread') as transaction_spread,
        max(limit_value) filter (where limit_id = 'half_rotation') as half_rotation,
        max(limit_value) filter (where limit_id = 'nand_read') as nand_read,
        max(limit_value) filter (where limit_id = 'optane_read') as optane_read,
        max(limit_value) filter (where limit_id = 'line_rate') as line_rate
    from known_limits

),

processes as (

    select distinct repetition_id
    from results
    where scope = 'process'

),

slower as (

    select
        qualified.repetition_id,
        qualified.result_id,
        latency_percentiles.percentile_ratio,
        limits.percentile_support,
        -- rounded, because 1 - 0.999 is not a thousandth to the last bit
        round(
            coalesce(qualified.operation_count, qualified.latency_sample_count)
            * (1 - latency_percentiles.percentile_ratio),
            6
        ) as slower_count
    from latency_percentiles
    inner join qualified on latency_percentiles.result_id = qualified.result_id
    cross join limits

),

unsupported as (

    -- the kinds of latency of one result share its operations
    select
        result_id,
        percentile_ratio,
        min(repetition_id) as repetition_id,
        min(slower_count) as slower_count,
        min(percentile_support) as percentile_support
    from slower
    where slower_count < percentile_support
    group by result_id, percentile_ratio

),

stated_limits as (

    select
        submission_id,
        figure_id,
        split_part(device, ' ', 1) as model_word,
        printed_value * case unit_basis when 'base2' then 1048576 else 1e6 end as limit_bytes_per_second
    from figures
    where
        record_kind = 'limit'
        and quantity = 'throughput'
        and printed_unit = 'MB/s'
        and unit_basis in ('base2', 'base10')
        and is_canonical

),

limited as (

    select
        stated_limits.submission_id,
        configurations.configuration_id,
        stated_limits.figure_id,
        stated_limits.limit_bytes_per_second * configurations.drive_count as limit_bytes_per_second
    from stated_limits
    inner join configurations
        on
            stated_limits.submission_id = configurations.submission_id
            and contains(configurations.device, stated_limits.model_word)
    where configurations.drive_count is not null

),

against_throughput as (

    select
        repetitions.repetition_id,
        'stated_throughput' as limit_kind,
        limited.figure_id,
        repetitions.throughput_bytes_per_second as checked_value,
        limited.limit_bytes_per_second as limit_value,
        repetitions.throughput_bytes_per_second <= limited.limit_bytes_per_second as is_within_limit
    from repetitions
    inner join limited
        on
            repetitions.submission_id = limited.submission_id
            and repetitions.configuration_id = limited.configuration_id
    where repetitions.throughput_bytes_per_second is not null

),

rated as (

    select
        repetitions.repetition_id,
        repetitions.throughput_bytes_per_second,
        case
            when repetitions.operation = 'read' and repetitions.access_pattern = 'random'
                then repetitions.latency_mean_seconds
        end as latency_mean_seconds,
        case
            when storage.media_class = 'hdd' then limits.half_rotation / storage.rotation_hertz
            when repetitions.queue_depth > 1 or repetitions.queue_depth is null then null
            when storage.media_class = 'ssd_optane' then limits.optane_read
            when storage.media_class in ('ssd_nvme', 'ssd_pcie', 'ssd_sas', 'ssd_sata') then limits.nand_read
        end as least_latency_seconds,
        if(storage.media_class = 'hdd', 'half_rotation', 'medium_latency') as limit_kind,
        -- a line carries as much again in the other direction
        limits.line_rate * storage.line_bytes_per_second
        * if(repetitions.operation in ('read', 'write'), 1, 2) as line_bytes_per_second
    from repetitions
    inner join storage
        on
            repetitions.submission_id = storage.submission_id
            and repetitions.configuration_id = storage.configuration_id
    cross join limits
    where repetitions.value_kind in ('measured', 'approximate')

),

limits_compared as (

    select * from against_throughput
    union all
    select
        repetition_id,
        limit_kind,
        null as figure_id,
        latency_mean_seconds as checked_value,
        least_latency_seconds as limit_value,
        latency_mean_seconds >= least_latency_seconds as is_within_limit
    from rated
    where latency_mean_seconds is not null and least_latency_seconds is not null
    union all
    select
        repetition_id,
        'line_rate' as limit_kind,
        null as figure_id,
        throughput_bytes_per_second as checked_value,
        line_bytes_per_second as limit_value,
        throughput_bytes_per_second <= line_bytes_per_second as is_within_limit
    from rated
    where throughput_bytes_per_second is not null and line_bytes_per_second is not null

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

per_transaction as (

    select
        transactions.*,
        configurations.process_count,
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

compared as (

    select
        per_transaction.*,
        min(per_transaction.operations_per_transaction_ratio) over (
            partition by per_transaction.submission_id, per_transaction.load_profile
        ) * limits.transaction_spread as operations_per_transaction_limit
    from per_transaction
    cross join limits

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
    from compared
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
    from compared
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
        [] as reasons
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
        [] as reasons
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
        ['the others ran at the same time and are in files of their own'] as reasons
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
        if(steady.is_kept, 'steady', 'not steady') as verdict,
        -- reads change nothing on a drive that a later read would find
        case when not steady.is_kept and steady.operation in ('write', 'all') then 'B' end as effect,
        false as is_lower_bound,
        [] as reasons
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
        [] as reasons
    from related

),

-- twelve digits: those behind them differ between processors and the order of sums
final as (

    select * replace (cast(format('{:.11e}', quantity_value) as double) as quantity_value)
    from combined

)

select * from final
