with samples as (

    select * from {{ source('raw', 'samples') }}

),

measured as (

    select
        source_sha256,
        file_id,
        submission_id,
        configuration_id,
        repetition_id,
        operation,
        quantity,
        sample_index,
        coalesce(operations_per_second, throughput_bytes_per_second, latency_seconds) as sample_value,
        row_number() over whole_log - 1 as sample_order,
        count(*) over (partition by source_sha256, operation, quantity) as sample_count
    from samples
    where coalesce(operations_per_second, throughput_bytes_per_second, latency_seconds) is not null
    window whole_log as (partition by source_sha256, operation, quantity order by sample_index)

),

final as (

    select
        source_sha256,
        operation,
        quantity,
        5 * sample_order // sample_count + 1 as round_index,
        min(file_id) as file_id,
        min(submission_id) as submission_id,
        min(configuration_id) as configuration_id,
        min(repetition_id) as repetition_id,
        min(sample_count) as sample_count,
        avg(sample_value order by sample_index) as round_value
    from measured
    where sample_count >= 5
    group by source_sha256, operation, quantity, round_index

)

select * from final
