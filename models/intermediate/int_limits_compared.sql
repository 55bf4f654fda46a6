with repetitions as (

    select * from {{ ref('repetitions') }}

),

figures as (

    select * from {{ source('raw', 'figures') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

storage as (

    select * from {{ ref('int_storage_rated') }}

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'half_rotation') as half_rotation,
        max(limit_value) filter (where limit_id = 'nand_read') as nand_read,
        max(limit_value) filter (where limit_id = 'optane_read') as optane_read,
        max(limit_value) filter (where limit_id = 'line_rate') as line_rate
    from known_limits

),

stated_limits as (

    select
        submission_id,
        figure_id,
        split_part(device, ' ', 1) as model_word,
        printed_value * case unit_basis when 'base2' then 1048576 else 1e6 end as limit_bytes_per_second
    from figures
    where
        record_kind = 'limit'
        and quantity = 'throughput'
        and printed_unit = 'MB/s'
        and unit_basis in ('base2', 'base10')
        and is_canonical

),

limited as (

    select
        stated_limits.submission_id,
        configurations.configuration_id,
        stated_limits.figure_id,
        stated_limits.limit_bytes_per_second * configurations.drive_count as limit_bytes_per_second
    from stated_limits
    inner join configurations
        on
            stated_limits.submission_id = configurations.submission_id
            and contains(configurations.device, stated_limits.model_word)
    where configurations.drive_count is not null

),

against_throughput as (

    select
        repetitions.repetition_id,
        'stated_throughput' as limit_kind,
        limited.figure_id,
        repetitions.throughput_bytes_per_second as checked_value,
        limited.limit_bytes_per_second as limit_value,
        repetitions.throughput_bytes_per_second <= limited.limit_bytes_per_second as is_within_limit
    from repetitions
    inner join limited
        on
            repetitions.submission_id = limited.submission_id
            and repetitions.configuration_id = limited.configuration_id
    where repetitions.throughput_bytes_per_second is not null

),

rated as (

    select
        repetitions.repetition_id,
        repetitions.throughput_bytes_per_second,
        case
            when repetitions.operation = 'read' and repetitions.access_pattern = 'random'
                then repetitions.latency_mean_seconds
        end as latency_mean_seconds,
        case
            when storage.media_class = 'hdd' then limits.half_rotation / storage.rotation_hertz
            when repetitions.queue_depth > 1 or repetitions.queue_depth is null then null
            when storage.media_class = 'ssd_optane' then limits.optane_read
            when storage.media_class in ('ssd_nvme', 'ssd_pcie', 'ssd_sas', 'ssd_sata') then limits.nand_read
        end as least_latency_seconds,
        if(storage.media_class = 'hdd', 'half_rotation', 'medium_latency') as limit_kind,
        -- a line carries as much again in the other direction
        limits.line_rate * storage.line_bytes_per_second
        * if(repetitions.operation in ('read', 'write'), 1, 2) as line_bytes_per_second
    from repetitions
    inner join storage
        on
            repetitions.submission_id = storage.submission_id
            and repetitions.configuration_id = storage.configuration_id
    cross join limits
    where repetitions.value_kind in ('measured', 'approximate')

),

final as (

    select * from against_throughput
    union all
    select
        repetition_id,
        limit_kind,
        null as figure_id,
        latency_mean_seconds as checked_value,
        least_latency_seconds as limit_value,
        latency_mean_seconds >= least_latency_seconds as is_within_limit
    from rated
    where latency_mean_seconds is not null and least_latency_seconds is not null
    union all
    select
        repetition_id,
        'line_rate' as limit_kind,
        null as figure_id,
        throughput_bytes_per_second as checked_value,
        line_bytes_per_second as limit_value,
        throughput_bytes_per_second <= line_bytes_per_second as is_within_limit
    from rated
    where throughput_bytes_per_second is not null and line_bytes_per_second is not null

)

select * from final
