{% set profile = ['submission_id', 'configuration_id', 'section', 'workload_id'] %}
{% set place_id = "left(md5(concat_ws(' ', '%s', %s)), 16)" %}
{% set rates = [
    ["'operations_per_second'", 'operations_per_second', 'operations_origin'],
    ["'throughput_bytes_per_second'", 'throughput_bytes_per_second', 'throughput_origin'],
    ["'latency_mean_seconds'", 'latency_mean_seconds', "'measured'"],
] %}

-- the tables whose numbers are drawn: kind of number, what names its place, metrics with value and origin, description
{% set drawn = [
    ['points', 'geometric_mean', 'geometric_mean', profile + ['load_basis', 'queue_depth'], rates, ['load_basis', 'queue_depth']],
    ['alone', 'stated', 'stated', ['repetition_id'], rates, ['load_basis', 'queue_depth', 'repetition_id']],
    [
        'reached', 'peak', 'peak', profile, [['metric', 'peak_value', 'rate_origin']],
        ['queue_depth', 'queue_depths', 'block_size_bytes', 'a_number_id']
    ],
    [
        'shared', 'per_drive', 'share', profile + ['basis'],
        [["concat(metric, '_per_drive')", 'rate_value / drive_count', 'rate_origin']],
        ['basis', 'drive_count', 'a_number_id']
    ],
    [
        'shared', 'per_gigabyte', 'share', profile + ['basis'],
        [["concat(metric, '_per_gigabyte')", 'rate_value / (capacity_bytes / 1e9)', 'rate_origin']],
        ['basis', 'capacity_bytes', 'a_number_id']
    ],
    [
        'divided', 'quotient', 'quotient', ['a_number_id', 'b_number_id'],
        [["concat(metric, '_ratio')", 'factor_ratio', "'measured'"]],
        ['basis', 'queue_depth', 'a_number_id', 'b_number_id']
    ],
] %}

{% set sides = [
    ['a', 'queue_depth', 'submission_id, array_configuration_id, array_section, workload_id'],
    ['b', 'base_queue_depth', 'submission_id, base_configuration_id, base_section, workload_id'],
] %}

with points as (

    -- a bound is no mean; it stands as the number that the source states
    select
        * replace (
            case when contains(operations_kind, 'bound') then null else operations_per_second end
                as operations_per_second,
            case when contains(throughput_kind, 'bound') then null else throughput_bytes_per_second end
                as throughput_bytes_per_second,
            case when contains(latency_kind_of_interval, 'bound') then null else latency_mean_seconds end
                as latency_mean_seconds
        )
    from {{ ref('points') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

selected as (

    select * from {{ ref('int_repetitions_selected') }}

),

peaks as (

    select * from {{ ref('int_peaks_converted') }}

),

stated_peaks as (

    select * from {{ ref('int_peaks_stated') }}

),

efficiencies as (

    select * from {{ ref('int_drives_divided') }}

),

factors as (

    select * from {{ ref('scaling') }}

),

-- repetitions that are of no load step: peaks, means and bounds that a source states
alone as (

    select repetitions.*
    from repetitions
    anti join selected on repetitions.repetition_id = selected.repetition_id

),

-- where a peak stands: at the depth that reaches it, or in the point that states it
reached as (

    select
        peaks.*,
        concat(
            case peaks.peak_origin
                when 'stated' then {{ place_id | format('stated', 'stated_peaks.repetition_id') }}
                else
                    {{ place_id | format(
                        'geometric_mean', 'peaks.' ~ profile | join(', peaks.') ~ ", 'outstanding', peaks.queue_depth"
                    ) }}
            end,
            '-',
            peaks.measured_metric
        ) as a_number_id
    from peaks
    left join stated_peaks
        on
            peaks.peak_origin = 'stated'
            {% for column in profile %}
                and peaks.{{ column }} = stated_peaks.{{ column }}
            {% endfor %}
            and peaks.measured_metric = stated_peaks.metric

),

-- the rates that are divided by drives and capacity: peaks, and means that a source states without a depth
means as (

    select *
    from alone
    where
        is_comparable
        and statistic = 'mean'
        and queue_depth is null
        and workload_id is not null
        and operations_per_second is not null
    qualify row_number() over (
        partition by submission_id, configuration_id, section, workload_id
        order by operations_per_second desc, repetition_id asc
    ) = 1

),

rated as (

    select
        {{ profile | join(', ') }},
        'peak' as basis,
        load_profile,
        value_kind,
        metric,
        peak_value as rate_value,
        rate_origin,
        concat({{ place_id | format('peak', profile | join(', ')) }}, '-', metric) as a_number_id
    from peaks
    {% for metric, value, origin in rates[:2] %}
        union all
        select
            {{ profile | join(', ') }},
            'mean' as basis,
            load_profile,
            value_kind,
            {{ metric }} as metric,
            {{ value }} as rate_value,
            {{ origin }} as rate_origin,
            concat({{ place_id | format('stated', 'repetition_id') }}, '-', {{ metric }}) as a_number_id
        from means
    {% endfor %}

),

parted as (

    select distinct
        {{ profile | join(', ') }},
        basis,
        drive_count,
        capacity_bytes
    from efficiencies

),

shared as (

    select
        rated.*,
        parted.drive_count,
        parted.capacity_bytes
    from rated
    inner join parted
        on
            rated.basis = parted.basis
            {% for column in profile %}
                and rated.{{ column }} = parted.{{ column }}
            {% endfor %}

),

-- a load step of several drives over one of a single drive, or a peak over a peak
divided as (

    select
        *,
        array_configuration_id as configuration_id,
        array_section as section,
        {% for side, depth, place in sides %}
            concat(
                case
                    when {{ depth }} is null then {{ place_id | format('peak', place) }}
                    else {{ place_id | format('geometric_mean', place ~ ", 'outstanding', " ~ depth) }}
                end,
                '-',
                metric
            ) as {{ side }}_number_id,
        {% endfor %}
        'measured' as value_kind
    from factors

),

combined as (

    {% for table, kind, word, place, numbers, described in drawn %}
        select
            '{{ kind }}' as number_kind,
            {{ place_id | format(word, place | join(', ')) }} as place_id,
            {{ (profile + ['load_profile', 'value_kind'] + described) | join(', ') }},
            unnest([{{ numbers | map(attribute=0) | join(', ') }}]) as metric,
            unnest([{{ numbers | map(attribute=1) | join(', ') }}]) as number_value,
            unnest([{{ numbers | map(attribute=2) | join(', ') }}]) as number_origin
        from {{ table }}
        {{ 'union all by name' if not loop.last }}
    {% endfor %}

),

final as (

    select
        concat(place_id, '-', metric) as number_id,
        *
    from combined
    where number_value is not null

)

select * from final
