with points as (

    -- a value from a cache or from blocks never written is shown with a mark where nothing else is known; no other
    -- exclusion is
    select *
    from {{ ref('points') }}
    where
        storage_topology = 'single'
        and load_basis = 'outstanding'
        and device_id is not null
        and len(
            list_filter(
                exclusions,
                lambda each: each not in ('area not written before', 'drive nearly empty', 'served by a cache')
            )
        ) = 0

),

peaks as (

    select * from {{ ref('peaks') }}
    where storage_topology = 'single' and load_basis = 'outstanding' and device_id is not null

),

workloads as (

    select * from {{ ref('workloads') }}
    where is_complete

),

configurations as (

    select * from {{ ref('configurations') }}

),

percentiles as (

    select * from {{ ref('tail_latency') }}
    where percentile_ratio = 0.999 and is_supported

),

-- of one setup the point at queue depth 1 with the highest rate, whatever number of processes the others had
lowest as (

    select points.*
    from points
    inner join workloads on points.workload_id = workloads.workload_id
    where points.queue_depth = 1 and coalesce(points.operations_per_second, points.latency_mean_seconds) is not null
    qualify
        row_number() over (
            partition by points.submission_id, points.configuration_id, points.workload_id
            order by points.operations_per_second desc nulls last, points.point_id asc
        ) = 1

),

-- a computed peak has a point that counts; a stated one has no depth
highest as (

    select
        peaks.*,
        points.reservations,
        points.exclusions
    from peaks
    inner join workloads on peaks.workload_id = workloads.workload_id
    left join points
        on
            peaks.submission_id = points.submission_id
            and peaks.configuration_id = points.configuration_id
            and peaks.section = points.section
            and peaks.workload_id = points.workload_id
            and peaks.queue_depth = points.queue_depth
    where
        coalesce(peaks.queue_depth_high, 2) > 1
        and (peaks.queue_depth is null or points.point_id is not null)
    qualify
        row_number() over (
            partition by peaks.submission_id, peaks.configuration_id, peaks.workload_id, peaks.metric
            order by coalesce(len(points.exclusions) > 0, false) asc, peaks.peak_value desc, peaks.peak_id asc
        ) = 1

),

figures as (

    {% for metric in ['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds'] %}
        select
            submission_id,
            configuration_id,
            device_id,
            workload_id,
            'queue depth 1' as figure,
            '{{ metric }}' as metric,
            {{ metric }} as figure_value,
            {{ metric }}_low as figure_value_low,
            {{ metric }}_high as figure_value_high,
            case
                when value_kind in ('lower_bound', 'upper_bound') then value_kind
                when contains({{ metric }}_interval_kind, 'bound')
                    then '{{ 'upper_bound' if metric == 'latency_mean_seconds' else 'lower_bound' }}'
                else value_kind
            end as value_kind,
            queue_depth,
            run_count,
            engine,
            reservations,
            exclusions,
            'point' as number_kind,
            point_id as number_id
        from lowest
        where {{ metric }} is not null
        union all
    {% endfor %}
    select
        lowest.submission_id,
        lowest.configuration_id,
        lowest.device_id,
        lowest.workload_id,
        'queue depth 1' as figure,
        'latency_p999_seconds' as metric,
        percentiles.latency_seconds,
        percentiles.latency_min_seconds,
        percentiles.latency_max_seconds,
        if(contains(lowest.operations_per_second_interval_kind, 'bound'), 'upper_bound', lowest.value_kind)
            as value_kind,
        lowest.queue_depth,
        percentiles.run_count,
        lowest.engine,
        lowest.reservations,
        lowest.exclusions,
        'point' as number_kind,
        lowest.point_id
    from lowest
    inner join workloads on lowest.workload_id = workloads.workload_id
    inner join percentiles
        on
            lowest.submission_id = percentiles.submission_id
            and lowest.configuration_id = percentiles.configuration_id
            and lowest.section = percentiles.section
            and lowest.workload_id = percentiles.workload_id
            and lowest.load_basis = percentiles.load_basis
            and lowest.queue_depth = percentiles.queue_depth
            and if(workloads.read_ratio > 0, 'read', 'write') = percentiles.operation
    qualify row_number() over (partition by lowest.point_id order by percentiles.latency_kind desc) = 1
    union all
    select
        submission_id,
        configuration_id,
        device_id,
        workload_id,
        'highest' as figure,
        metric,
        peak_value,
        peak_value_low,
        peak_value_high,
        case
            when value_kind = 'measured' and (is_peak_at_edge or contains(peak_value_interval_kind, 'bound'))
                then 'lower_bound'
            else value_kind
        end as value_kind,
        queue_depth,
        run_count,
        engine,
        reservations,
        exclusions,
        'peak' as number_kind,
        peak_id
    from highest

),

-- what speaks for a setup, most important first: the smaller number is the better
weighed as (

    select
        figures.device_id,
        figures.workload_id,
        figures.submission_id,
        figures.configuration_id,
        any_value(configurations.media_class) as media_class,
        any_value(
            concat_ws('/', coalesce(configurations.bench_key, figures.submission_id), configurations.controller_model)
        ) as bench,
        cast(count(distinct figures.figure) < 2 as integer) as lacks_figure,
        cast(coalesce(bool_or(len(figures.exclusions) > 0), false) as integer) as has_exclusion,
        cast(not bool_or(figures.figure = 'queue depth 1') as integer) as lacks_lowest,
        cast(bool_or(coalesce(figures.engine, '') = 'spdk') as integer) as is_past_kernel,
        coalesce(min(nullif(len(figures.reservations), 0)), 0) as caveat_count,
        -max(figures.figure_value) filter (where not starts_with(figures.metric, 'latency')) as slowness
    from figures
    inner join configurations
        on
            figures.submission_id = configurations.submission_id
            and figures.configuration_id = configurations.configuration_id
    group by figures.device_id, figures.workload_id, figures.submission_id, figures.configuration_id

),

shared as (

    select
        workload_id,
        media_class,
        bench,
        count(distinct device_id) as device_count
    from weighed
    where has_exclusion = 0
    group by workload_id, media_class, bench

),

ranked as (

    select
        weighed.device_id,
        weighed.workload_id,
        weighed.submission_id,
        weighed.configuration_id,
        [
            weighed.lacks_figure, weighed.has_exclusion, weighed.lacks_lowest, weighed.is_past_kernel,
            weighed.caveat_count, -coalesce(shared.device_count, 0), coalesce(weighed.slowness, 0)
        ] as reasons
    from weighed
    left join shared
        on
            weighed.workload_id = shared.workload_id
            and weighed.media_class = shared.media_class
            and weighed.bench = shared.bench

),

placed as (

    select
        *,
        row_number() over in_order as setup_rank,
        count(*) over (partition by device_id, workload_id) as setup_count,
        lead(reasons) over in_order as next_reasons
    from ranked
    window in_order as (
        partition by device_id, workload_id order by reasons asc, submission_id asc, configuration_id asc
    )

),

final as (

    select
        figures.device_id,
        figures.workload_id,
        workloads.load_profile,
        figures.figure,
        figures.metric,
        figures.figure_value,
        figures.figure_value_low,
        figures.figure_value_high,
        figures.value_kind,
        figures.queue_depth,
        figures.run_count,
        figures.reservations,
        figures.exclusions,
        figures.number_kind,
        figures.number_id,
        figures.submission_id,
        figures.configuration_id,
        placed.setup_count,
        case
            when placed.setup_rank > 1 then 'the preferred setup lacks this figure'
            when placed.setup_count = 1 then 'only setup'
            {% for reason in [
                'queue depth 1 and higher depths in one setup', 'no exclusion', 'has queue depth 1',
                'through the kernel', 'fewest caveats', 'most drives on the same test bench', 'highest rate',
            ] %}
                when placed.reasons[{{ loop.index }}] <> placed.next_reasons[{{ loop.index }}]
                    then '{{ reason }}'
            {% endfor %}
            else 'first by name'
        end as chosen_because
    from figures
    inner join placed
        on
            figures.device_id = placed.device_id
            and figures.workload_id = placed.workload_id
            and figures.submission_id = placed.submission_id
            and figures.configuration_id = placed.configuration_id
    inner join workloads on figures.workload_id = workloads.workload_id
    qualify
        row_number() over (
            partition by figures.device_id, figures.workload_id, figures.figure, figures.metric
            order by placed.setup_rank
        ) = 1

)

select * from final
