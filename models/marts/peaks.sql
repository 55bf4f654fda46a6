{% set series = ['submission_id', 'configuration_id', 'section', 'workload_id', 'load_basis', 'metric'] %}

with computed as (

    select * from {{ ref('int_peaks_computed') }}

),

found as (

    select * from {{ ref('int_series_found') }}

),

stated as (

    select * from {{ ref('int_peaks_stated') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

validity as (

    select * from {{ ref('int_validity_of_points') }}

),

with_knees as (

    select
        computed.*,
        -- 95 % of the highest point are no 95 % of a peak that is above it
        case
            when contains(computed.kind, 'bound') and found.verdict = 'saturated' then 'not_saturated'
            else found.verdict
        end as knee_verdict,
        case when not contains(computed.kind, 'bound') then found.queue_depth_knee end as queue_depth_knee,
        case when not contains(computed.kind, 'bound') then found.queue_depth_before end as queue_depth_before,
        found.last_step_ratio,
        found.queue_depths_falling,
        found.is_monotonic
    from computed
    inner join found
        on
            {% for column in series %}
                {{ 'and ' if not loop.first }}computed.{{ column }} = found.{{ column }}
            {% endfor %}

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
        low,
        high,
        kind,
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
    from stated

),

combined as (

    -- what a source states as its peak stands before what its printed points reach: it measured more than it prints
    select
        with_knees.* replace (
            {% for column in [
                'load_profile', 'peak_value', 'low_half', 'high_half', 'low', 'high', 'kind', 'queue_depth',
                'queue_depth_low', 'queue_depth_high', 'value_kind', 'unit_basis', 'process_count', 'target_count',
                'engine', 'is_direct', 'tool', 'tool_version',
            ] %}
                case when printed.metric is not null then printed.{{ column }} else with_knees.{{ column }} end
                    as {{ column }},
            {% endfor %}
            {% for column in [
                'n', 'repetition_count', 'session_count', 'is_peak_at_edge', 'plateau_value',
                'plateau_count', 'queue_depths', 'first_started_at', 'last_started_at',
            ] %}
                case when printed.metric is null then with_knees.{{ column }} end as {{ column }},
            {% endfor %}
        ),
        case when printed.metric is null then 'computed' else 'stated' end as peak_origin
    from with_knees
    left join printed
        on
            {% for column in series %}
                {{ 'and ' if not loop.first }}with_knees.{{ column }} = printed.{{ column }}
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
        combined.* replace (
            case when validity.is_lower_bound is not true then combined.high end as high,
            case
                when validity.is_lower_bound is not true or contains(combined.kind, 'bound') then combined.kind
                when combined.kind = 'none' then 'bound'
                else concat('bound+', combined.kind)
            end as kind,
            case when validity.is_lower_bound then cast('inf' as double) else combined.high_half end as high_half,
            case when validity.is_lower_bound and combined.kind = 'none' then combined.peak_value else combined.low end
                as low
        ),
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
