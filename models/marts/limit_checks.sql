with repetitions as (

    select * from {{ ref('repetitions') }}

),

figures as (

    select * from {{ source('raw', 'figures') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

drives as (

    select * from {{ source('raw', 'drives') }}

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

rotating as (

    select
        submission_id,
        configuration_id,
        0.5 / max(rotation_hertz) as half_rotation_seconds
    from drives
    where role = 'data' and media_class = 'hdd'
    group by submission_id, configuration_id
    having max(rotation_hertz) is not null

),

against_throughput as (

    select
        repetitions.*,
        'stated_throughput' as limit_kind,
        stated_limits.figure_id,
        repetitions.throughput_bytes_per_second as checked_value,
        stated_limits.limit_bytes_per_second * configurations.drive_count as limit_value,
        repetitions.throughput_bytes_per_second
        <= stated_limits.limit_bytes_per_second * configurations.drive_count as is_within_limit
    from repetitions
    inner join configurations
        on
            repetitions.submission_id = configurations.submission_id
            and repetitions.configuration_id = configurations.configuration_id
    inner join stated_limits
        on
            repetitions.submission_id = stated_limits.submission_id
            and contains(configurations.device, stated_limits.model_word)
    where repetitions.throughput_bytes_per_second is not null and configurations.drive_count is not null

),

against_rotation as (

    select
        repetitions.*,
        'half_rotation' as limit_kind,
        cast(null as varchar) as figure_id,
        repetitions.latency_mean_seconds as checked_value,
        rotating.half_rotation_seconds as limit_value,
        repetitions.latency_mean_seconds >= rotating.half_rotation_seconds as is_within_limit
    from repetitions
    inner join rotating
        on
            repetitions.submission_id = rotating.submission_id
            and repetitions.configuration_id = rotating.configuration_id
    where repetitions.operation = 'read' and repetitions.latency_mean_seconds is not null

),

checked as (

    select * from against_throughput
    union all
    select * from against_rotation

),

final as (

    select
        repetition_id,
        limit_kind,
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        queue_depth,
        value_kind,
        figure_id,
        checked_value,
        limit_value,
        is_within_limit
    from checked

)

select * from final
