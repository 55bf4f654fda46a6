with stated as (

    select * from {{ source('raw', 'results') }}

),

qualified as (

    select * from {{ ref('int_results_qualified') }}

),

results as (

    select
        stated.* exclude (load_profile),
        qualified.is_whole_load,
        qualified.stated_load_profile,
        qualified.workload_id,
        qualified.load_profile,
        qualified.load_profile_origin,
        qualified.figure_id,
        qualified.submission_status,
        qualified.queue_depth_per_drive,
        qualified.section,
        qualified.is_comparable,
        qualified.is_bound
    from stated
    inner join qualified on stated.result_id = qualified.result_id

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

configurations as (

    select
        *,
        left(md5(device_id), 8) as device_key
    from {{ ref('int_configurations_described') }}

),

findings as (

    select * from {{ source('raw', 'findings') }}

),

warned as (

    select
        result_id,
        count(*) as finding_count
    from findings
    where result_id is not null
    group by result_id

),

checks as (

    select * from {{ ref('validity_checks') }}

),

judged as (

    -- the verdict of a percentile is about that alone
    select
        repetition_id,
        list(distinct verdict order by verdict) filter (where effect in ('B', 'C')) as reservations,
        list(distinct concat('excluded: ', verdict) order by concat('excluded: ', verdict))
        filter (where effect = 'X') as exclusions
    from checks
    where effect is not null and metric is distinct from 'latency_percentile_seconds'
    group by repetition_id

),

badged as (

    select
        results.*,
        list_filter(
            list_concat(
                list_concat(
                    [
                        case results.value_kind
                            when 'approximate' then 'approximate'
                            when 'lower_bound' then 'lower bound'
                            when 'upper_bound' then 'upper bound'
                            when 'range' then 'range'
                            when 'stated_spec' then 'stated by the maker, not measured'
                        end,
                        case results.statistic
                            when 'peak' then 'peak over several queue depths'
                            when 'minimum' then 'smallest value'
                            when 'maximum' then 'largest value'
                        end,
                        case when results.unit_basis = 'unknown' then 'base of the unit unknown' end,
                        case when results.queue_depth_origin = 'inferred' then 'queue depth inferred' end,
                        case when not results.is_canonical then 'replaced by another figure of the source' end,
                        case when results.outcome <> 'ok' then concat('run: ', results.outcome) end,
                        case when results.is_partial then 'intermediate report' end,
                        case when results.is_aggregate then 'sum of other results' end,
                        case
                            when
                                not results.is_whole_load
                                and not results.is_aggregate
                                and results.scope is distinct from 'process'
                                then 'part of a larger load'
                        end,
                        case when results.submission_status = 'disputed' then 'disputed' end
                    ],
                    coalesce(judged.reservations, [])
                ),
                list_concat(
                    coalesce(judged.exclusions, []),
                    [case when warned.finding_count > 0 then concat('warnings: ', warned.finding_count) end]
                )
            ),
            lambda badge: badge is not null
        ) as badges
    from results
    left join warned on results.result_id = warned.result_id
    left join judged on results.repetition_id = judged.repetition_id

),

final as (

    select
        badged.result_id,
        badged.repetition_id,
        badged.submission_id,
        badged.configuration_id,
        badged.source_sha256,
        badged.file_id,
        badged.source_path,
        badged.source_pointer,
        badged.origin_path,
        badged.origin_sha256,
        badged.origin_pointer,
        badged.origin_line,
        badged.reader_version,
        submissions.collector_version,
        submissions.edition,
        badged.repetition_index,
        badged.round_index,
        badged.tool,
        badged.tool_version,
        badged.source_format,
        badged.scope,
        badged.is_aggregate,
        badged.is_partial,
        badged.outcome,
        badged.test_name,
        badged.group_index,
        badged.operation,
        badged.access_pattern,
        badged.random_ratio,
        badged.read_ratio,
        badged.block_size_bytes,
        badged.block_size_min_bytes,
        badged.block_size_max_bytes,
        badged.load_profile,
        badged.workload_id,
        badged.stated_load_profile,
        badged.load_profile_origin,
        badged.queue_depth,
        badged.queue_depth_per_drive,
        badged.queue_depth_low,
        badged.queue_depth_high,
        badged.queue_depth_origin,
        badged.queue_depth_reached,
        badged.is_queue_depth_sought,
        badged.outstanding_per_target_count,
        badged.target_count,
        badged.process_count,
        badged.load_basis,
        badged.workload_origins,
        badged.job_options,
        badged.engine,
        badged.is_direct,
        badged.started_at,
        badged.ended_at,
        badged.started_at_local,
        badged.ended_at_local,
        badged.duration_seconds,
        badged.ramp_seconds,
        badged.operation_count,
        badged.transferred_bytes,
        badged.error_code,
        badged.error_count,
        badged.operations_per_second,
        badged.throughput_bytes_per_second,
        badged.operations_basis,
        badged.operations_resolution_per_second,
        badged.throughput_basis,
        badged.throughput_resolution_bytes_per_second,
        badged.operations_sample_min_per_second,
        badged.operations_sample_max_per_second,
        badged.operations_sample_mean_per_second,
        badged.operations_sample_stddev_per_second,
        badged.throughput_sample_min_bytes_per_second,
        badged.throughput_sample_max_bytes_per_second,
        badged.throughput_sample_mean_bytes_per_second,
        badged.throughput_sample_stddev_bytes_per_second,
        badged.sample_count,
        badged.sampling_semantics,
        badged.latency_kind,
        badged.latency_mean_seconds,
        badged.latency_min_seconds,
        badged.latency_max_seconds,
        badged.latency_stddev_seconds,
        badged.latency_sample_count,
        badged.completion_latency_mean_seconds,
        badged.completion_latency_min_seconds,
        badged.completion_latency_max_seconds,
        badged.completion_latency_stddev_seconds,
        badged.submission_latency_mean_seconds,
        badged.submission_latency_min_seconds,
        badged.submission_latency_max_seconds,
        badged.submission_latency_stddev_seconds,
        badged.latency_resolution_seconds,
        badged.cpu_user_ratio,
        badged.cpu_system_ratio,
        badged.cpu_busy_ratio,
        badged.steady_state_criterion,
        badged.is_steady_state_attained,
        badged.value_kind,
        badged.statistic,
        badged.qualifier,
        badged.unit_basis,
        badged.is_canonical,
        badged.printed_value,
        badged.printed_low,
        badged.printed_high,
        badged.printed_unit,
        badged.printed_text,
        submissions.title as submission_title,
        badged.submission_status,
        submissions.submitted_by,
        submissions.submitted_on,
        submissions.tested_on,
        submissions.licence,
        submissions.source_type,
        submissions.affiliation,
        configurations.title as configuration_title,
        configurations.system_vendor,
        configurations.system_model,
        configurations.virtualisation,
        configurations.storage_topology,
        configurations.drive_count,
        configurations.filesystem,
        configurations.setting_set,
        configurations.conditions,
        configurations.completeness_ratio,
        configurations.device_id,
        configurations.device_key,
        configurations.device,
        configurations.media_class,
        configurations.drive_capacity_bytes,
        configurations.drive_firmware,
        badged.section,
        badged.figure_id,
        badged.is_whole_load,
        badged.is_comparable,
        badged.is_bound,
        badged.badges
    from badged
    inner join submissions on badged.submission_id = submissions.submission_id
    left join configurations
        on
            badged.submission_id = configurations.submission_id
            and badged.configuration_id = configurations.configuration_id

)

select * from final
