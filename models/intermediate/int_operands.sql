{{ config(materialized='table') }}

{% set shared = [
    'submission_id', 'configuration_id', 'section', 'workload_id', 'metric', 'load_basis', 'queue_depth', 'low_half',
    'high_half', 'value_kind', 'unit_basis', 'process_count', 'engine', 'is_direct', 'tool',
    'tool_version', 'target_count', 'run_count'
] %}
{% set metrics = ['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds'] %}

with estimated as (

    select * from {{ ref('int_points_estimated') }}

),

peaks as (

    select * from {{ ref('int_peaks_computed') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

-- depths that somebody read into a text that does not state them
inferred as (

    select distinct
        submission_id,
        configuration_id,
        section,
        workload_id,
        queue_depth
    from {{ ref('int_results_qualified') }}
    where queue_depth_origin = 'inferred'

),

-- each number of each point, and the peaks; a peak over fewer than three depths is none
measured as (

    select
        {{ shared | join(', ') }},
        point_id,
        concat(case load_basis when 'outstanding' then 'queue_depth' else load_basis end, '=', queue_depth) as basis,
        point_value as value,
        n,
        session_count,
        mean_logarithm,
        log_variance,
        case when metric = 'latency_mean_seconds' then latency_kind end as latency_kind,
        false as is_peak_at_edge
    from estimated
    union all by name
    select
        {{ shared | join(', ') }},
        peak_id as point_id,
        'peak' as basis,
        peak_value as value,
        coalesce(n, 1) as n,
        coalesce(session_count, 1) as session_count,
        ln(peak_value) as mean_logarithm,
        coalesce(queue_depth_low || ' to ' || queue_depth_high, 'unknown') as searched_depths,
        coalesce(is_peak_at_edge, false) as is_peak_at_edge
    from peaks
    where load_basis = 'outstanding' and (peak_origin = 'stated' or depth_count >= 3)

),

-- what was run or printed, and has no value to compare: a load that failed, a rate in megabytes of an unknown base
unmeasured as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_basis,
        queue_depth,
        process_count,
        value_kind,
        unnest({{ metrics }}) as metric,
        case
            when statistic = 'peak' then 'peak'
            when queue_depth is null then 'load not stated'
            else
                concat(
                    case
                        when load_basis is null or load_basis like 'outstanding%' then 'queue_depth' else load_basis
                    end,
                    '=',
                    queue_depth
                )
        end as basis,
        unnest([
            case
                when operations_origin is distinct from 'measured' then null
                when not is_comparable then 'not_admitted'
                when operations_per_second <= 0 then 'no_value'
                when queue_depth is null and statistic <> 'peak' then 'workload_incomplete'
            end,
            case
                when unit_basis = 'unknown' then 'unit_unknown'
                when throughput_origin is distinct from 'measured' then null
                when not is_comparable then 'not_admitted'
                when throughput_bytes_per_second <= 0 then 'no_value'
                when queue_depth is null and statistic <> 'peak' then 'workload_incomplete'
            end,
            case
                when latency_mean_seconds is null then null
                when not is_comparable then 'not_admitted'
                when latency_mean_seconds <= 0 then 'no_value'
                when queue_depth is null and statistic <> 'peak' then 'workload_incomplete'
            end
        ]) as own_reason
    from repetitions
    where workload_id is not null and configuration_id is not null

),

left_out as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        metric,
        basis,
        min(load_basis) as load_basis,
        min(queue_depth) as queue_depth,
        min(process_count) as process_count,
        min(value_kind) as value_kind,
        min(own_reason) as own_reason
    from unmeasured
    where own_reason is not null
    group by submission_id, configuration_id, section, workload_id, metric, basis

),

every as (

    select
        *,
        cast(null as varchar) as own_reason
    from measured
    where value > 0
    union all by name
    select left_out.*
    from left_out
    anti join measured
        on
            left_out.submission_id = measured.submission_id
            and left_out.configuration_id = measured.configuration_id
            and left_out.section = measured.section
            and left_out.workload_id = measured.workload_id
            and left_out.metric = measured.metric
            and left_out.basis = measured.basis

),

listed as (

    select
        *,
        -- one number joins and parts these in less time than six texts
        hash(row(submission_id, configuration_id, section, workload_id, metric, basis)) as place_id
    from every

),

described as (

    select
        listed.* replace (
            coalesce(listed.load_basis, 'outstanding') as load_basis,
            coalesce(listed.tool, configurations.tool) as tool,
            -- these tools have one engine, which they do not name
            coalesce(
                listed.engine,
                case when listed.tool in ('iometer', 'orion', 'diskspd') then listed.tool end
            ) as engine,
            coalesce(listed.tool_version, configurations.tool_version) as tool_version,
            coalesce(listed.process_count, configurations.process_count) as process_count,
            -- whatever the files or partitions, one drive is one target
            coalesce(listed.target_count, case when configurations.drive_count = 1 then 1 end) as target_count,
            case
                when listed.metric = 'latency_mean_seconds'
                    then coalesce(listed.latency_kind, configurations.latency_kind)
            end as latency_kind
        ),
        case when inferred.queue_depth is not null and listed.basis <> 'peak' then 'inferred' else 'stated' end
            as queue_depth_origin,
        configurations.device_id,
        configurations.device,
        configurations.media_class,
        configurations.conditions,
        configurations.source_type,
        configurations.submitted_by,
        configurations.drive_firmware,
        configurations.drive_specimen,
        configurations.drive_capacity_bytes,
        configurations.bench_key,
        coalesce(configurations.device_id, concat(listed.submission_id, '/', listed.configuration_id)) as compared_id,
        configurations.storage_topology,
        configurations.drive_count,
        configurations.completeness_ratio,
        case
            when listed.is_direct is not null then case when listed.is_direct then 'direct' else 'buffered' end
            else configurations.cache_bypass
        end as cache_bypass,
        workloads.load_profile,
        workloads.access_pattern,
        workloads.read_ratio,
        workloads.block_size_bytes,
        workloads.is_complete,
        -- what nobody states of the load, by the columns of results
        concat_ws(
            ', ',
            case when workloads.access_pattern is null then 'access_pattern' end,
            case when workloads.read_ratio is null then 'read_ratio' end,
            case when workloads.block_size_min_bytes is null then 'block_size_bytes' end
        ) as missing_members
    from listed
    inner join configurations
        on
            listed.submission_id = configurations.submission_id
            and listed.configuration_id = configurations.configuration_id
    inner join workloads on listed.workload_id = workloads.workload_id
    left join inferred
        on
            listed.submission_id = inferred.submission_id
            and listed.configuration_id = inferred.configuration_id
            and listed.section = inferred.section
            and listed.workload_id = inferred.workload_id
            and listed.queue_depth = inferred.queue_depth

),

-- with no column that it does not need: a window carries all of them through its sort
ranked as (

    select
        listed.place_id,
        coalesce(listed.unit_basis = 'unknown', false) as is_unit_unknown,
        listed.own_reason is null
        and workloads.is_complete
        and not is_unit_unknown
        and row_number() over (
            partition by
                hash(row(
                    listed.workload_id,
                    listed.metric,
                    listed.basis,
                    coalesce(
                        configurations.device_id, concat(listed.submission_id, '/', listed.configuration_id)
                    ),
                    configurations.storage_topology,
                    configurations.drive_count
                ))
            order by
                listed.own_reason is null desc,
                listed.unit_basis = 'unknown' asc nulls first,
                configurations.source_type in ('raw_tool_output', 'excerpt') desc,
                listed.n desc nulls last,
                configurations.completeness_ratio desc,
                listed.submission_id desc,
                listed.configuration_id asc,
                listed.section asc
        ) = 1 as is_representative,
        -- pairs have the smaller one first, by device, submission and configuration
        row_number() over (
            order by
                coalesce(configurations.device_id, ''),
                listed.submission_id,
                listed.configuration_id,
                listed.section,
                listed.workload_id,
                listed.metric,
                listed.basis
        ) as operand_id
    from listed
    inner join configurations
        on
            listed.submission_id = configurations.submission_id
            and listed.configuration_id = configurations.configuration_id
    inner join workloads on listed.workload_id = workloads.workload_id

),

final as (

    select
        described.* exclude (place_id),
        ranked.is_unit_unknown,
        ranked.is_representative,
        ranked.operand_id,
        -- "more than" does not scatter; an end that is open for any other reason is that of runs that do
        coalesce(described.value_kind in ('lower_bound', 'upper_bound'), false) as is_stated_bound,
        hash(row(
            described.submission_id, described.configuration_id, engine, cache_bypass, process_count, target_count,
            tool, tool_version, latency_kind, load_basis, searched_depths, missing_members, queue_depth_origin
        )) as circumstances_id
    from described
    inner join ranked on described.place_id = ranked.place_id

)

select * from final
