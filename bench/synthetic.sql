-- Raw tables of synthetic submissions; the variable `submissions` says how many.
insert into raw.results by name
with submissions as (select range as submission from range(cast(getvariable('submissions') as bigint))),

configurations as (select range as configuration from range(2)),

profiles as (
    select * from (values
        ('random', 0.5, 65536, 29000.0), ('random', 0.67, 65536, 29500.0), ('random', 0.67, 8192, 193000.0),
        ('sequential', 1.0, 65536, 38000.0), ('sequential', 0.0, 65536, 29500.0)
    ) as listed (access_pattern, read_ratio, block_size_bytes, most)
),

loads as (select range as group_index, 1 << range as queue_depth from range(10)),

repetitions as (select range + 1 as repetition_index from range(3)),

operations as (select unnest(['read', 'write']) as operation),

measured as (
    select
        *,
        format('{}-{}-{}-{}.{}.json', configuration, access_pattern, read_ratio, block_size_bytes, repetition_index)
            as source_path,
        case operation when 'read' then read_ratio else 1 - read_ratio end as share,
        -- drives of 50 kinds differ by up to a factor of 3.5, repetitions by up to 4 %
        1 + submission % 50 / 20.0
        + (hash(submission, configuration, repetition_index, queue_depth, block_size_bytes) % 1000) / 25000.0
            as scatter
    from submissions, configurations, profiles, loads, repetitions, operations
),

rated as (
    select
        *,
        sha256(concat(submission, '/', source_path)) as source_sha256,
        share * scatter * most * queue_depth / (queue_depth + 12.0) as rate,
        (queue_depth + 12.0) / (scatter * most) as latency
    from measured
    where share > 0
),

counted as (
    select
        *,
        cast(60 * rate as bigint) as operation_count,
        md5(concat(source_sha256, group_index)) as whole_point_id
    from rated
)

select
    left(md5(concat(whole_point_id, operation)), 20) as result_id,
    left(whole_point_id, 20) as repetition_id,
    format('submission-{:06d}', submission) as submission_id,
    concat('configuration-', configuration) as configuration_id,
    source_sha256,
    left(md5(concat(submission, '/', source_path)), 20) as file_id,
    source_path,
    format('0#/jobs/{}/{}', group_index, operation) as source_pointer,
    repetition_index,
    'fio' as tool,
    concat('fio-3.', 30 + submission % 13) as tool_version,
    'json+' as source_format,
    'job' as scope,
    false as is_aggregate,
    false as is_partial,
    false as is_queue_depth_sought,
    'ok' as outcome,
    format('qd{:03d}', queue_depth) as test_name,
    group_index,
    operation,
    access_pattern,
    case access_pattern when 'random' then 1.0 else 0.0 end as random_ratio,
    read_ratio,
    cast(block_size_bytes as bigint) as block_size_bytes,
    cast(block_size_bytes as bigint) as block_size_min_bytes,
    cast(block_size_bytes as bigint) as block_size_max_bytes,
    queue_depth,
    'job' as queue_depth_origin,
    queue_depth as outstanding_per_target_count,
    1 as process_count,
    'outstanding' as load_basis,
    'bs=global direct=global iodepth=job ioengine=global numjobs=global rw=global rwmixread=global' as workload_origins,
    format(
        '{{"bs":"{}","direct":"1","iodepth":"{}","ioengine":"libaio","numjobs":"1","rwmixread":"{:.0f}","size":"32g"}}',
        block_size_bytes, queue_depth, 100 * read_ratio
    ) as job_options,
    'libaio' as engine,
    true as is_direct,
    60.0 as duration_seconds,
    5.0 as ramp_seconds,
    operation_count,
    operation_count * block_size_bytes as transferred_bytes,
    rate as operations_per_second,
    rate * block_size_bytes as throughput_bytes_per_second,
    0.9 * rate as operations_sample_min_per_second,
    1.1 * rate as operations_sample_max_per_second,
    1.001 * rate as operations_sample_mean_per_second,
    0.02 * rate as operations_sample_stddev_per_second,
    0.9 * rate * block_size_bytes as throughput_sample_min_bytes_per_second,
    1.1 * rate * block_size_bytes as throughput_sample_max_bytes_per_second,
    1.001 * rate * block_size_bytes as throughput_sample_mean_bytes_per_second,
    0.02 * rate * block_size_bytes as throughput_sample_stddev_bytes_per_second,
    120 as sample_count,
    'sum' as sampling_semantics,
    'total' as latency_kind,
    latency as latency_mean_seconds,
    latency / 3 as latency_min_seconds,
    latency * 20 as latency_max_seconds,
    latency / 4 as latency_stddev_seconds,
    operation_count as latency_sample_count,
    0.98 * latency as completion_latency_mean_seconds,
    0.98 * latency / 3 as completion_latency_min_seconds,
    0.98 * latency * 20 as completion_latency_max_seconds,
    0.98 * latency / 4 as completion_latency_stddev_seconds,
    0.02 * latency as submission_latency_mean_seconds,
    0.02 * latency / 3 as submission_latency_min_seconds,
    0.02 * latency * 20 as submission_latency_max_seconds,
    0.02 * latency / 4 as submission_latency_stddev_seconds,
    1e-9 as latency_resolution_seconds,
    least(rate / 1e6, 0.5) as cpu_user_ratio,
    least(rate / 4e5, 0.5) as cpu_system_ratio,
    'measured' as value_kind,
    'point' as statistic,
    'exact' as unit_basis,
    true as is_canonical,
    floor(rate * block_size_bytes) as printed_value,
    'B/s' as printed_unit
from counted;

insert into raw.submissions by name
select distinct
    submission_id,
    'Synthetic' as title,
    1 as edition,
    'bench' as submitted_by,
    date '2026-01-01' as submitted_on,
    'CC-BY-4.0' as licence,
    'raw_tool_output' as source_type,
    'independent' as affiliation,
    'active' as status
from raw.results;

-- 40 models of host; every other submission compares two setting sets, the others two firmware versions
insert into raw.configurations by name
select distinct
    submission_id,
    configuration_id,
    configuration_id as title,
    case when cast(right(submission_id, 6) as bigint) % 2 = 0 then configuration_id else 'Default' end as setting_set,
    'Maker' as system_vendor,
    concat('Model ', cast(right(submission_id, 6) as bigint) % 40) as system_model,
    'Processor' as cpu_model,
    3.0e9 as cpu_nominal_hertz,
    'none' as virtualisation,
    'single' as storage_topology,
    1 as drive_count,
    'fio' as tool,
    tool_version,
    'pts' as preconditioning_class,
    'pts' as steady_state_class,
    cast(34359738368 as bigint) as measurement_area_bytes,
    'yes' as file_written,
    'random' as data_pattern,
    'direct' as cache_bypass,
    1 as process_count,
    30 as known_field_count,
    40 as required_field_count,
    0.75 as completeness_ratio
from raw.results;

insert into raw.drives by name
select
    submission_id,
    configuration_id,
    1 as position_index,
    'data' as role,
    1 as drive_count,
    concat('drive-', cast(right(submission_id, 6) as bigint) % 50) as device_id,
    'Maker' as vendor,
    case when setting_set = 'Default' then configuration_id end as firmware,
    'ssd_nvme' as media_class,
    cast(800000000000 as bigint) as capacity_bytes
from raw.configurations;

insert into raw.files by name
select
    file_id,
    source_sha256,
    submission_id,
    source_path as path,
    'result' as role,
    min(configuration_id) as configuration_id,
    min(repetition_index) as repetition_index,
    min(tool) as tool,
    min(tool_version) as tool_version,
    min(source_format) as format,
    'utf-8' as encoding,
    180000 as size_bytes,
    1 as document_count,
    count(*) as result_count,
    0 as finding_count,
    'read' as status
from raw.results
group by file_id, source_sha256, submission_id, source_path;

-- one result in fifty has a finding
insert into raw.findings by name
select
    file_id,
    group_index as finding_index,
    submission_id,
    source_sha256,
    source_path,
    source_pointer,
    repetition_id,
    result_id,
    'R-EXPECT-1' as rule_id,
    'Synthetic.' as message
from raw.results
where hash(result_id) % 50 = 0;
