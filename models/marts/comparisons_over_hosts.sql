{% set point = [
    'submission_id', 'a_device_id', 'a_specimen', 'b_device_id', 'b_specimen', 'workload_id', 'queue_depth', 'metric'
] %}

with points as (

    select * from {{ ref('points') }}
    where len(exclusions) = 0

),

comparisons as (

    select * from {{ ref('int_comparisons') }}

),

differing as (

    select * from {{ ref('int_pair_conditions') }}
    where state = 'differs'

),

configurations as (

    select * from {{ ref('int_configurations_described') }}
    where bench_key is not null and drive_specimen is not null

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

settings as (

    select
        submission_id,
        configuration_id,
        string_agg(concat(scope, '.', name, '=', value), '; ' order by scope, name) as settings
    from {{ source('raw', 'settings') }}
    group by submission_id, configuration_id

),

doubtful as (

    select
        submission_id,
        configuration_id
    from {{ source('raw', 'reservations') }}
    where kind = 'doubtful'

),

margins as (

    select max(limit_value) as margin_ratio
    from {{ ref('known_limits') }}
    where limit_id = 'margin'

),

-- a bench is a host with its settings; what a source doubts says nothing of a drive
benches as (

    select
        configurations.submission_id,
        configurations.configuration_id,
        configurations.bench_key,
        configurations.device_id,
        configurations.drive_specimen,
        coalesce(settings.settings, '') as settings
    from configurations
    left join settings
        on
            configurations.submission_id = settings.submission_id
            and configurations.configuration_id = settings.configuration_id
    anti join doubtful
        on
            configurations.submission_id = doubtful.submission_id
            and configurations.configuration_id = doubtful.configuration_id

),

-- pairs of configurations without a known difference
pairs as (

    select distinct
        comparisons.operation,
        comparisons.a_submission_id,
        comparisons.a_configuration_id,
        comparisons.b_submission_id,
        comparisons.b_configuration_id
    from comparisons
    anti join differing on comparisons.pair_id = differing.pair_id and comparisons.operation = differing.operation

),

-- two specimens on one bench, of which nothing else is known to differ; A is the smaller by device and specimen
on_benches as (

    select
        pairs.operation,
        a.submission_id,
        a.bench_key,
        row(b.device_id, b.drive_specimen) < row(a.device_id, a.drive_specimen) as is_turned,
        if(is_turned, b.configuration_id, a.configuration_id) as a_configuration_id,
        if(is_turned, a.configuration_id, b.configuration_id) as b_configuration_id,
        if(is_turned, b.device_id, a.device_id) as a_device_id,
        if(is_turned, a.device_id, b.device_id) as b_device_id,
        if(is_turned, b.drive_specimen, a.drive_specimen) as a_specimen,
        if(is_turned, a.drive_specimen, b.drive_specimen) as b_specimen
    from pairs
    inner join benches as a
        on pairs.a_submission_id = a.submission_id and pairs.a_configuration_id = a.configuration_id
    inner join benches as b
        on pairs.b_submission_id = b.submission_id and pairs.b_configuration_id = b.configuration_id
    where
        a.submission_id = b.submission_id
        and a.bench_key = b.bench_key
        and a.settings = b.settings
        and (a.device_id, a.drive_specimen) <> (b.device_id, b.drive_specimen)

),

measured as (

    select
        on_benches.*,
        a.workload_id,
        a.queue_depth,
        unnest(['operations_per_second', 'latency_mean_seconds']) as metric,
        unnest([
            ln(a.operations_per_second / b.operations_per_second), ln(b.latency_mean_seconds / a.latency_mean_seconds)
        ]) as log_ratio
    from on_benches
    inner join points as a
        on
            on_benches.submission_id = a.submission_id
            and on_benches.a_configuration_id = a.configuration_id
    inner join points as b
        on
            on_benches.submission_id = b.submission_id
            and on_benches.b_configuration_id = b.configuration_id
            and a.section = b.section
            and a.workload_id = b.workload_id
            and a.load_basis = b.load_basis
            and a.queue_depth = b.queue_depth
    inner join workloads on a.workload_id = workloads.workload_id
    where on_benches.operation = if(workloads.read_ratio = 1, 'read', 'write')

),

-- two benches of one host are not independent: a host counts once
of_hosts as (

    select
        {{ point | join(', ') }},
        bench_key,
        count(*) as bench_count,
        list_avg(list_sort(list(log_ratio))) as log_ratio
    from measured
    where log_ratio is not null
    group by {{ point | join(', ') }}, bench_key

),

over_hosts as (

    select
        {{ point | join(', ') }},
        count(*) as host_count,
        cast(sum(bench_count) as bigint) as bench_count,
        list_sort(list(log_ratio)) as log_ratios
    from of_hosts
    group by {{ point | join(', ') }}
    having count(*) >= 3

),

judged as (

    select
        over_hosts.*,
        -- the other side is exactly 1; no session term, because the hosts are the occasions
        compared(
            false,
            list_avg(log_ratios),
            host_count,
            host_count,
            host_count,
            list_var_samp(log_ratios),
            0,
            0,
            false,
            false,
            false,
            0,
            host_count,
            host_count,
            host_count,
            0,
            0,
            0,
            false,
            false,
            true,
            margins.margin_ratio
        ) as judgement
    from over_hosts
    cross join margins

),

final as (

    select
        left(md5(concat_ws(' ', {{ point | join(', ') }})), 16) as comparison_over_hosts_id,
        {{ point | join(', ') }},
        host_count,
        bench_count,
        judgement['ratio'] as ratio,
        judgement['ratio_low'] as ratio_low,
        judgement['ratio_high'] as ratio_high,
        judgement['verdict'] as verdict
    from judged

)

select * from final
