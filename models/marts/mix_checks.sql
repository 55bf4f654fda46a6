with repetitions as (

    select * from {{ ref('repetitions') }}

),

final as (

    select
        repetition_id,
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        queue_depth,
        read_ratio,
        measured_read_ratio,
        measured_read_ratio - read_ratio as difference_ratio,
        -- rounded, so that a difference on the limit does not miss it by the last bit
        round(abs(measured_read_ratio - read_ratio), 12) <= 0.01 as is_as_configured
    from repetitions
    where part_count > 1 and read_ratio is not null and measured_read_ratio is not null

)

select * from final
