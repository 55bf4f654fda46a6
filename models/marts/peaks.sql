{% set series = ['submission_id', 'configuration_id', 'section', 'workload_id', 'load_basis', 'metric'] %}

with computed as (

    select * from {{ ref('int_peaks_computed') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

figures as (

    select * from {{ ref('int_figures_admitted') }}

),

excluded as (

    select distinct repetition_id
    from {{ ref('int_reservations_matched') }}
    where effect = 'X'

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

validity as (

    select * from {{ ref('int_validity_of_points') }}

),

-- one peak that a source states per series: the largest, and a bound only where no value is stated
stated as (

    select
        repetitions.*,
        figures.low_half,
        figures.high_half,
        unnest(['operations_per_second', 'throughput_bytes_per_second']) as metric,
        unnest([
            case when operations_origin = 'measured' then operations_per_second end,
            case when throughput_origin = 'measured' then throughput_bytes_per_second end
        ]) as peak_value
    from repetitions
    left join figures
        on repetitions.submission_id = figures.submission_id and repetitions.figure_id = figures.figure_id
    anti join excluded on repetitions.repetition_id = excluded.repetition_id
    where
        (repetitions.is_comparable or repetitions.is_bound)
        and repetitions.statistic = 'peak'
        and repetitions.workload_id is not null
        and coalesce(repetitions.load_basis, 'outstanding') in ('outstanding', 'outstanding_per_drive')

),

ranked as (

    select
        *,
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id, metric
            order by is_bound asc, peak_value desc, repetition_id asc
        ) as rank_index
    from stated
    where peak_value is not null

),

printed as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        'outstanding' as load_basis,
        metric,
        load_profile,
        peak_value,
        case when isinf(low_half) then null else round(peak_value * exp(-low_half), 12) end as low,
        case when isinf(high_half) then null else round(peak_value * exp(high_half), 12) end as high,
        case
            when low_half is null then 'none'
            when isinf(low_half) or isinf(high_half) then 'bound'
            else 'rounding'
        end as kind,
        low_half,
        high_half,
        queue_depth,
        queue_depth_low,
        queue_depth_high,
        value_kind,
        unit_basis,
        process_count,
        target_count,
        engine,
        is_direct,
        tool,
        tool_version
    from ranked
    where rank_index = 1

),

combined as (

    -- what a source states as its peak stands before what its printed points reach: it measured more than it prints
    select
        computed.* replace (
            {% for column in [
                'load_profile', 'peak_value', 'low_half', 'high_half', 'low', 'high', 'kind', 'queue_depth',
                'queue_depth_low', 'queue_depth_high', 'value_kind', 'unit_basis', 'process_count', 'target_count',
                'engine', 'is_direct', 'tool', 'tool_version',
            ] %}
                case when printed.metric is not null then printed.{{ column }} else computed.{{ column }} end
                    as {{ column }},
            {% endfor %}
            {% for column in [
                'n', 'run_count', 'session_count', 'is_peak_at_edge', 'plateau_value',
                'plateau_count', 'queue_depths', 'first_started_at', 'last_started_at',
            ] %}
                case when printed.metric is null then computed.{{ column }} end as {{ column }},
            {% endfor %}
        ),
        case when printed.metric is null then 'computed' else 'stated' end as peak_origin
    from computed
    left join printed
        on
            {% for column in series %}
                {{ 'and ' if not loop.first }}computed.{{ column }} = printed.{{ column }}
            {% endfor %}
    union all by name
    select
        printed.*,
        'stated' as peak_origin
    from printed
    anti join computed
        on
            {% for column in series %}
                {{ 'and ' if not loop.first }}printed.{{ column }} = computed.{{ column }}
            {% endfor %}

),

final as (

    select
        left(
            md5(
                concat_ws(
                    ' ',
                    'peak',
                    combined.submission_id,
                    combined.configuration_id,
                    combined.section,
                    combined.workload_id,
                    combined.load_basis,
                    combined.metric
                )
            ),
            16
        ) as peak_id,
        -- a rate that something else held back is a lower bound of what the drives can do
        combined.* exclude (low, high, kind, n) replace (
            case when validity.is_lower_bound then cast('inf' as double) else combined.high_half end as high_half
        ),
        case when validity.is_lower_bound and combined.kind = 'none' then combined.peak_value else combined.low end
            as peak_value_low,
        case when validity.is_lower_bound is not true then combined.high end as peak_value_high,
        case
            when validity.is_lower_bound is not true or contains(combined.kind, 'bound') then combined.kind
            when combined.kind = 'none' then 'bound'
            else concat('bound+', combined.kind)
        end as peak_value_interval_kind,
        combined.n as independent_run_count,
        configurations.device_id,
        configurations.device,
        configurations.media_class,
        configurations.storage_topology,
        configurations.drive_count
    from combined
    inner join configurations
        on
            combined.submission_id = configurations.submission_id
            and combined.configuration_id = configurations.configuration_id
    left join validity
        on
            combined.submission_id = validity.submission_id
            and combined.configuration_id = validity.configuration_id
            and combined.section = validity.section
            and combined.workload_id = validity.workload_id
            and combined.load_basis = validity.load_basis
            and combined.queue_depth = validity.queue_depth
            and combined.metric = validity.metric

)

select * from final
