-- No comparison of unequal workloads, load bases, topologies, numbers or kinds of drives, of a unit whose base is
-- unknown, or of a number that mixes statistics. Nothing here reads the conditions.
with quotients as (

    select * from {{ ref('quotients') }}
    where not is_mirrored

),

configurations as (

    select * from {{ ref('configurations') }}

),

points as (

    select * from {{ ref('repetitions') }}

),

drives as (

    select
        submission_id,
        configuration_id,
        string_agg(distinct case media_class when 'virtual' then 'virtual' else 'real' end) as drive_class
    from {{ source('raw', 'drives') }}
    where role = 'data'
    group by submission_id, configuration_id

),

sides as (

    {% for side in ['a', 'b'] %}
        select
            '{{ side }}' as side,
            comparison_id,
            metric,
            workload_id,
            queue_depth,
            {{ side }}_submission_id as submission_id,
            {{ side }}_configuration_id as configuration_id,
            {{ side }}_section as section
        from quotients
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

loads as (

    select
        sides.side,
        sides.comparison_id,
        count(points.repetition_id) as point_count,
        string_agg(
            distinct concat(points.access_pattern, ' ', points.read_ratio, ' ', points.block_size_bytes)
        ) as workload,
        string_agg(distinct replace(coalesce(points.load_basis, 'outstanding'), '_per_drive', '')) as load_basis,
        bool_or(points.unit_basis = 'unknown') as is_unit_unknown,
        count(distinct replace(points.statistic, 'plateau', 'point')) filter (where sides.queue_depth is not null)
            as statistic_count
    from sides
    left join points
        on
            sides.submission_id = points.submission_id
            and sides.configuration_id = points.configuration_id
            and sides.section = points.section
            and sides.workload_id = points.workload_id
            and (points.is_comparable or points.value_kind in ('lower_bound', 'upper_bound'))
            and case
                -- a peak is over outstanding I/Os: one that was made of anything else has no point here
                when sides.queue_depth is null then coalesce(points.load_basis, 'outstanding') like 'outstanding%'
                else sides.queue_depth = points.queue_depth
            end
            and points.statistic in ('point', 'plateau', 'mean', 'median', 'peak')
            and case sides.metric
                when 'operations_per_second' then points.operations_per_second is not null
                -- the base of a printed unit cancels out inside one section
                when 'throughput_bytes_per_second'
                    then points.throughput_bytes_per_second is not null or points.unit_basis = 'unknown'
                else points.latency_mean_seconds is not null
            end
    group by sides.side, sides.comparison_id

),

measured as (

    select
        configurations.submission_id,
        configurations.configuration_id,
        configurations.storage_topology,
        configurations.drive_count,
        configurations.cache_bypass,
        drives.drive_class
    from configurations
    left join drives
        on
            configurations.submission_id = drives.submission_id
            and configurations.configuration_id = drives.configuration_id

)

select quotients.*
from quotients
inner join measured as a
    on quotients.a_submission_id = a.submission_id and quotients.a_configuration_id = a.configuration_id
inner join measured as b
    on quotients.b_submission_id = b.submission_id and quotients.b_configuration_id = b.configuration_id
inner join loads as a_load on quotients.comparison_id = a_load.comparison_id and a_load.side = 'a'
inner join loads as b_load on quotients.comparison_id = b_load.comparison_id and b_load.side = 'b'
where
    a.storage_topology <> b.storage_topology
    or a.drive_count <> b.drive_count
    or a.drive_class <> b.drive_class
    or a.cache_bypass <> b.cache_bypass
    or least(a_load.point_count, b_load.point_count) = 0
    or a_load.workload <> b_load.workload
    or a_load.load_basis <> b_load.load_basis
    or (
        quotients.metric = 'throughput_bytes_per_second'
        and (a_load.is_unit_unknown or b_load.is_unit_unknown)
        and (quotients.a_submission_id, quotients.a_section) <> (quotients.b_submission_id, quotients.b_section)
    )
    or greatest(a_load.statistic_count, b_load.statistic_count) > 1
