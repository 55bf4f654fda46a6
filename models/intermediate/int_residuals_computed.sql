with repetitions as (

    select * from {{ ref('repetitions') }}

),

known_limits as (

    select * from {{ ref('known_limits') }}

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'little_fits') as little_fits,
        max(limit_value) filter (where limit_id = 'little_fits_roughly') as little_fits_roughly
    from known_limits

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
        -- rounded, so that a ratio on the limit does not miss it by the last bit
        round(operations_per_second * latency_mean_seconds / queue_depth, 12) as achieved_depth_ratio,
        operations_per_second * latency_mean_seconds / queue_depth - 1 as residual_ratio
    from described
    where operations_per_second > 0

),

final as (

    select
        computed.repetition_id,
        computed.submission_id,
        computed.configuration_id,
        computed.section,
        computed.queue_depth,
        computed.implied_latency_mean_seconds,
        computed.concurrency_value,
        computed.achieved_depth_ratio,
        computed.residual_ratio,
        -- a tool that counts what it timed in full tells what was outstanding; a printed figure is rounded
        computed.reservations = ''
        and not computed.is_ceiling
        and coalesce(computed.tool, '') <> 'published' as is_depth_counted,
        case
            when computed.residual_ratio is null or computed.is_ceiling then 'cannot be judged'
            when round(abs(computed.residual_ratio), 12) <= limits.little_fits then 'fits'
            when round(abs(computed.residual_ratio), 12) <= limits.little_fits_roughly or computed.reservations <> ''
                then 'fits roughly'
            else 'does not fit'
        end as verdict,
        case
            when computed.residual_ratio is null then 'no latency beside the rate'
            when computed.is_ceiling then 'the rate is an upper bound'
            else computed.reservations
        end as reasons
    from computed
    cross join limits

)

select * from final
