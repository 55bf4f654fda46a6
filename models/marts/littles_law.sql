with repetitions as (

    select * from {{ ref('repetitions') }}

),

described as (

    select
        *,
        value_kind in ('upper_bound', 'range') as is_ceiling,
        concat_ws(
            '; ',
            case when value_kind = 'lower_bound' then 'the rate is a lower bound' end,
            case when value_kind = 'approximate' then 'approximate figure' end,
            case when latency_kind is null then 'kind of latency unknown' end,
            case when latency_kind <> 'total' then concat('latency is ', latency_kind, ', not total') end,
            case
                when operation in ('read', 'write') and read_ratio > 0 and read_ratio < 1
                    then concat('latency of the ', operation, 's alone in a mixed load')
            end
        ) as reservations
    from repetitions
    where
        workload_id is not null
        and queue_depth is not null
        and is_queue_depth_sought is not true
        and statistic in ('point', 'plateau', 'mean', 'median')
        and coalesce(load_basis, 'outstanding') in ('outstanding', 'outstanding_per_drive')

),

computed as (

    select
        *,
        queue_depth / operations_per_second as implied_latency_mean_seconds,
        operations_per_second * latency_mean_seconds as concurrency_value,
        operations_per_second * latency_mean_seconds / queue_depth - 1 as residual_ratio
    from described
    where operations_per_second > 0

),

final as (

    select
        repetition_id,
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        repetition_index,
        queue_depth,
        operations_per_second,
        latency_mean_seconds,
        latency_kind,
        value_kind,
        implied_latency_mean_seconds,
        concurrency_value,
        residual_ratio,
        case
            when residual_ratio is null or is_ceiling then 'not_evaluable'
            -- rounded, so that a residual on the limit does not miss it by the last bit
            when round(abs(residual_ratio), 12) <= 0.05 then 'ok'
            when round(abs(residual_ratio), 12) <= 0.2 or reservations <> '' then 'warn'
            else 'fail'
        end as verdict,
        case
            when residual_ratio is null then 'no latency beside the rate'
            when is_ceiling then 'the rate is an upper bound'
            else reservations
        end as reasons
    from computed

)

select * from final
