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

with_knees as (

    select
        computed.*,
        found.verdict as knee_verdict,
        found.queue_depth_knee,
        found.queue_depth_before,
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
                'n', 'variance', 'degrees', 'repetition_count', 'session_count', 'is_peak_at_edge', 'plateau_value',
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
        combined.*,
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

)

select * from final
