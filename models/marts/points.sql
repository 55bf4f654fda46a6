{% set metrics = ['operations', 'throughput', 'latency'] %}

with estimated as (

    select * from {{ ref('int_points_estimated') }}

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

configurations as (

    select
        *,
        left(md5(device_id), 8) as device_key
    from {{ ref('int_configurations_described') }}

),

judged as (

    -- a check holds for the rates of a point and for its latency alike
    select * from {{ ref('int_validity_of_points') }}
    where metric = 'operations_per_second'

),

described as (

    select
        point_id,
        {% for column in [
            'submission_id', 'configuration_id', 'section', 'workload_id', 'load_basis', 'queue_depth',
            'queue_depth_per_drive', 'process_count', 'target_count', 'engine', 'is_direct', 'tool', 'tool_version',
            'latency_kind', 'run_count', 'session_count', 'first_started_at', 'value_kind',
        ] %}
            min({{ column }}) as {{ column }},
        {% endfor %}
        max(last_started_at) as last_started_at,
        max(outlier_count) as outlier_count,
        max(unit_basis) as unit_basis
    from estimated
    group by point_id

),

flagged as (

    select
        described.*,
        -- what a source states as a bound is one already
        coalesce(judged.is_lower_bound and described.value_kind not in ('lower_bound', 'upper_bound'), false)
            as is_held_back,
        if(len(judged.exclusions) = 0, judged.reservations, []) as reservations,
        coalesce(judged.exclusions, []) as exclusions
    from described
    left join judged
        on
            described.submission_id = judged.submission_id
            and described.configuration_id = judged.configuration_id
            and described.section = judged.section
            and described.workload_id = judged.workload_id
            and described.load_basis = judged.load_basis
            and described.queue_depth = judged.queue_depth

),

-- what holds a rate back makes a latency longer than the drive's own: the other end is open
opened as (

    select
        estimated.* replace (
            case
                when not flagged.is_held_back then estimated.low
                when estimated.metric <> 'latency_mean_seconds' then coalesce(estimated.low, estimated.point_value)
            end as low,
            case
                when not flagged.is_held_back then estimated.high
                when estimated.metric = 'latency_mean_seconds' then coalesce(estimated.high, estimated.point_value)
            end as high,
            case
                when not flagged.is_held_back or contains(estimated.kind, 'bound') then estimated.kind
                when estimated.kind = 'none' then 'bound'
                else concat('bound+', estimated.kind)
            end as kind
        )
    from estimated
    inner join flagged on estimated.point_id = flagged.point_id

),

{% for metric, name in [
    ['operations', 'operations_per_second'],
    ['throughput', 'throughput_bytes_per_second'],
    ['latency', 'latency_mean_seconds'],
] %}
    {{ metric }} as (

        select * from opened
        where metric = '{{ name }}' and unit_basis <> 'unknown'

    ),

{% endfor %}

final as (

    select
        flagged.*,
        concat(
            case flagged.load_basis when 'outstanding' then 'queue_depth' else flagged.load_basis end,
            '=',
            flagged.queue_depth
        ) as basis,
        workloads.load_profile,
        {% for own, other, factor, column, pattern in [
            ['operations', 'throughput', '/', 'operations_per_second', 'operations_{}_per_second'],
            ['throughput', 'operations', '*', 'throughput_bytes_per_second', 'throughput_{}_bytes_per_second'],
        ] %}
            {% for value, name in [
                ['point_value', column], ['low', column ~ '_low'], ['high', column ~ '_high'],
                ['median_value', pattern.format('median')], ['lowest_value', pattern.format('min')],
                ['highest_value', pattern.format('max')],
            ] %}
                case
                    when {{ own }}.point_id is not null then {{ own }}.{{ value }}
                    else {{ other }}.{{ value }} {{ factor }} workloads.block_size_bytes
                end as {{ name }},
            {% endfor %}
            case
                when {{ own }}.point_id is not null then 'measured'
                when {{ other }}.point_id is not null and workloads.block_size_bytes is not null then 'derived'
            end as {{ own }}_origin,
            case
                when {{ own }}.point_id is not null then {{ own }}.kind
                when workloads.block_size_bytes is not null then {{ other }}.kind
            end as {{ column }}_interval_kind,
            case
                when {{ own }}.point_id is not null then round(sqrt({{ own }}.log_variance), 12)
                when workloads.block_size_bytes is not null then round(sqrt({{ other }}.log_variance), 12)
            end as {{ own }}_variation_ratio,
        {% endfor %}
        latency.point_value as latency_mean_seconds,
        latency.low as latency_mean_seconds_low,
        latency.high as latency_mean_seconds_high,
        latency.kind as latency_mean_seconds_interval_kind,
        latency.median_value as latency_mean_median_seconds,
        latency.lowest_value as latency_mean_min_seconds,
        latency.highest_value as latency_mean_max_seconds,
        round(sqrt(latency.log_variance), 12) as latency_variation_ratio,
        configurations.device_id,
        configurations.device_key,
        configurations.device,
        configurations.media_class,
        configurations.storage_topology,
        configurations.drive_count
    from flagged
    inner join workloads on flagged.workload_id = workloads.workload_id
    inner join configurations
        on
            flagged.submission_id = configurations.submission_id
            and flagged.configuration_id = configurations.configuration_id
    {% for metric in metrics %}
        left join {{ metric }} on flagged.point_id = {{ metric }}.point_id
    {% endfor %}

)

select * from final
