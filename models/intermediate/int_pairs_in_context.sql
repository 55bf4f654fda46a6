{{ config(materialized='table') }}

{% set limit = "(select limit_value from " ~ ref('known_limits') ~ " where limit_id = '%s')" %}

with drives as (

    select
        submission_id,
        configuration_id,
        bool_or(media_class = 'hdd') as is_rotating,
        -- "512/4096" and "512 bytes on 4096": the larger of the numbers that a block size can be
        max(
            list_max(
                list_filter(
                    list_transform(regexp_extract_all(lba_format, '\d+'), lambda text: cast(text as bigint)),
                    lambda bytes: bytes between 512 and 65536
                )
            )
        ) as sector_bytes
    from {{ source('raw', 'drives') }}
    where role = 'data'
    group by submission_id, configuration_id

),

sides as (

    select
        operands.*,
        concat(submission_id, '/', configuration_id) as side_name,
        drives.is_rotating,
        configurations.filesystem in ('zfs', 'btrfs', 'bcachefs', 'refs') as is_copying,
        contains(configurations.mount_options, 'compress') as is_compressing,
        configurations.filesystem = 'raw' as is_raw_device,
        regexp_matches(
            lower(configurations.operating_system), 'windows|bsd|solaris|illumos|aix|hp-ux|macos|darwin|esxi'
        ) as is_without_linux,
        configurations.controller_model <> 'not applicable'
        and coalesce(configurations.controller_cache_policy, '') <> 'not applicable'
            as is_controller_cache,
        starts_with(canonical('results.engine', operands.engine), 'synchronous') as is_synchronous,
        coalesce(validity.is_generator_cleared, false) as is_generator_cleared,
        coalesce(operands.read_ratio < 1, true) as is_writes,
        coalesce(operands.read_ratio > 0, true) as is_reads,
        coalesce(operands.block_size_bytes <= {{ limit % 'small_block' }}, true)
        and coalesce(
            case operands.metric
                when 'operations_per_second' then operands.value
                when 'throughput_bytes_per_second' then operands.value / operands.block_size_bytes
                -- Little's law
                else operands.queue_depth / operands.value
            end > {{ limit % 'fast_rate' }},
            true
        ) as is_small_fast,
        coalesce(operands.queue_depth > coalesce(operands.process_count, 1), true) as is_deep,
        operands.cache_bypass = 'buffered' as is_buffered,
        is_buffered and configurations.measurement_area_bytes < 2 * configurations.memory_bytes as is_small_memory,
        operands.block_size_bytes < drives.sector_bytes as is_below_sector,
        operands.block_size_bytes < configurations.allocation_unit_bytes as is_below_unit,
        operands.block_size_bytes > configurations.raid_stripe_bytes as is_above_stripe,
        operands.block_size_bytes >= {{ limit % 'big_block' }} as is_big_block,
        configurations.alignment_bytes % drives.sector_bytes <> 0 as is_misaligned,
        operands.storage_topology = 'single' as is_single,
        operands.storage_topology not in ('single', 'independent') as is_array,
        operands.source_type in ('raw_tool_output', 'excerpt') as is_raw
    from {{ ref('int_operands') }} as operands
    inner join {{ ref('int_configurations_described') }} as configurations using (submission_id, configuration_id)
    left join drives using (submission_id, configuration_id)
    left join {{ ref('int_operands_checked') }} as validity using (operand_id)

),

{# flags that hold where they hold of either side, each with its column "is_..." #}
{% set of_either = [
    'above_stripe', 'array', 'below_sector', 'below_unit', 'big_block', 'buffered', 'compressing', 'controller_cache',
    'copying', 'deep', 'misaligned', 'reads', 'rotating', 'single', 'small_fast', 'small_memory', 'synchronous', 'writes'
] %}
{% set flags = {
    'both_raw': 'a.is_raw and b.is_raw',
    'cleared': 'a.is_generator_cleared and b.is_generator_cleared',
    'latency': "a.metric = 'latency_mean_seconds'",
    'mixed_pattern': "a.access_pattern = 'mixed'",
    'peak': "a.basis = 'peak'",
    'raw_device': 'a.is_raw_device and b.is_raw_device',
    'saturated': 'not a.is_peak_at_edge and not b.is_peak_at_edge',
    'without_linux': 'a.is_without_linux and b.is_without_linux',
    'printed_throughput': "a.metric = 'throughput_bytes_per_second' and not (a.is_raw and b.is_raw)",
    'same_bench': 'a.bench_key = b.bench_key',
    'same_device': 'a.device_id = b.device_id',
    'same_section': 'a.submission_id = b.submission_id and a.section = b.section',
    'sequential': "a.access_pattern = 'sequential'"
} %}

pairs as (

    select * from {{ ref('int_operands_paired') }}
    union all by name
    select
        array_operand_id as a_operand_id,
        base_operand_id as b_operand_id,
        'array' as stated_question
    from {{ ref('int_loads_paired') }}

),

final as (

    select
        pairs.a_operand_id,
        pairs.b_operand_id,
        pairs.own_reason,
        left(md5(concat(least(a.side_name, b.side_name), ' ', greatest(a.side_name, b.side_name))), 16) as pair_id,
        a.workload_id,
        a.metric,
        a.basis,
        if(a.basis = 'peak', null, a.queue_depth) as queue_depth,
        a.circumstances_id as a_circumstances_id,
        b.circumstances_id as b_circumstances_id,
        coalesce(a.bench_key = b.bench_key, false) as is_same_bench,
        case
            when pairs.stated_question is not null then pairs.stated_question
            when (a.device_id is distinct from b.device_id) then 'device'
            -- one name for drives of two sizes does not make them one
            when a.drive_capacity_bytes <> b.drive_capacity_bytes then 'device'
            when a.drive_firmware <> b.drive_firmware then 'firmware'
            when a.drive_specimen <> b.drive_specimen then 'specimen'
            else 'replication'
        end as question,
        concat_ws(
            ',',
            {% for flag in (of_either + flags.keys() | list) | sort %}
                case when {{ flags.get(flag, 'a.is_' ~ flag ~ ' or b.is_' ~ flag) }} then '{{ flag }}' end,
            {% endfor %}
            concat('question=', question)
        ) as context,
        if(pairs.own_reason is null, hash(context), null) as context_id
    from pairs
    inner join sides as a on pairs.a_operand_id = a.operand_id
    inner join sides as b on pairs.b_operand_id = b.operand_id

)

select * from final
