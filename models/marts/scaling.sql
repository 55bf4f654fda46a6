{% set carried = [
    'value', 'n', 'run_count', 'session_count', 'log_variance', 'low_half', 'high_half', 'is_held_back',
    'is_stated_bound', 'is_peak', 'queue_depth', 'queue_depth_per_drive', 'process_count', 'value_kind', 'section', 'configuration_id'
] %}

with pairs as (

    select * from {{ ref('int_loads_paired') }}

),

loads as (

    select
        *,
        load_value as value,
        -- what each busy drive has under way: a write to a mirror waits on every copy; a peak has no depth
        case
            when is_peak then null
            when storage_topology in ('raid1', 'raid10')
                then
                    round(
                        greatest(
                            queue_depth_per_drive
                            * (read_ratio + if(storage_topology = 'raid1', drive_count, 2) * (1 - read_ratio)),
                            1
                        ),
                        9
                    )
            else greatest(queue_depth_per_drive, 1)
        end as own_queue_depth
    from {{ ref('int_loads_listed') }}

),

found as (

    select
        pairs.a_operand_id as array_operand_id,
        pairs.b_operand_id as base_operand_id,
        pair_effects.is_excluded,
        pair_effects.condition_columns
    from {{ ref('int_pairs_in_context') }} as pairs
    inner join
        {{ ref('int_pair_effects') }} as pair_effects
        using (a_circumstances_id, b_circumstances_id, context_id)
    where pairs.question = 'array'

),

limits as (

    select
        max(limit_value) filter (where limit_id = 'margin') as margin_ratio,
        max(limit_value) filter (where limit_id = 'superlinear') as superlinear_ratio
    from {{ ref('known_limits') }}

),

joined as (

    select
        pairs.claim_id,
        pairs.stated_factor_ratio,
        pairs.stated_factor_text,
        a.operand_id as array_operand_id,
        b.operand_id as base_operand_id,
        a.submission_id,
        a.workload_id,
        a.load_profile,
        a.metric,
        a.storage_topology as topology,
        a.drive_count,
        a.device_id,
        a.device,
        a.read_ratio,
        a.block_size_bytes,
        a.raid_stripe_bytes,
        a.is_written_back,
        {% for side, loads in [('array', 'a'), ('base', 'b')] %}
            {% for column in carried %}
                {{ loads }}.{{ column }} as {{ side }}_{{ column }},
            {% endfor %}
        {% endfor %}
        found.is_excluded,
        found.condition_columns,
        list_concat(a.check_verdicts, b.check_verdicts) as check_verdicts,
        greatest(a.worst_check, b.worst_check) as worst_check,
        -- of each drive that is busy; a peak has no depth
        case when not a.is_peak then greatest(a.queue_depth_per_drive, 1) end as busy_queue_depth,
        a.own_queue_depth,
        -- the one drive at the depth that each drive of the array has, for a comparison at equal total depth
        case when a.own_queue_depth = b.queue_depth then b.load_value else curve.load_value end as shared_value
    from pairs
    inner join loads as a on pairs.array_operand_id = a.operand_id
    inner join loads as b on pairs.base_operand_id = b.operand_id
    inner join found using (array_operand_id, base_operand_id)
    left join loads as curve
        on
            b.submission_id = curve.submission_id
            and b.configuration_id = curve.configuration_id
            and b.section = curve.section
            and b.workload_id = curve.workload_id
            and b.metric = curve.metric
            and a.own_queue_depth = curve.queue_depth

),

based as (

    select
        joined.*,
        limits.*,
        case
            when array_is_peak and base_is_peak then 'peak'
            when busy_queue_depth = base_queue_depth
                then concat('queue_depth_per_drive=', format('{:.6g}', array_queue_depth_per_drive))
            when array_queue_depth = base_queue_depth then concat('queue_depth=', array_queue_depth)
            else
                concat(
                    'stated, queue depth ',
                    coalesce(cast(array_queue_depth as varchar), 'that of the peak'),
                    ' against ',
                    coalesce(cast(base_queue_depth as varchar), 'that of the peak')
                )
        end as basis,
        case
            when topology in ('raid5', 'raid6') and coalesce(is_written_back, true) then null
            else
                scaling_ideal(
                    topology, drive_count, read_ratio, array_queue_depth, block_size_bytes, raid_stripe_bytes
                )
        end as busy_ratio
    from joined
    cross join limits

),

-- the most that one drive is seen to do with as much under way as a mirror's drives have, or with more
reaching as (

    select
        based.array_operand_id,
        based.base_operand_id,
        greatest(max(curve.load_value) / min(based.base_value), 1) as deeper_ratio
    from based
    inner join loads as curve
        on
            based.submission_id = curve.submission_id
            and based.base_configuration_id = curve.configuration_id
            and based.base_section = curve.section
            and based.workload_id = curve.workload_id
            and based.metric = curve.metric
            and based.own_queue_depth <= curve.queue_depth
    where based.own_queue_depth > based.base_queue_depth
    group by based.array_operand_id, based.base_operand_id

),

idealised as (

    select
        based.*,
        -- a mirror's drives have more under way than the one drive that it is held against, and may do more each
        case
            when starts_with(based.basis, 'queue_depth=') then 1
            when coalesce(based.own_queue_depth, -1) = coalesce(based.busy_queue_depth, -1) then 1
            when coalesce(based.own_queue_depth <= based.base_queue_depth, based.base_queue_depth is null) then 1
            else reaching.deeper_ratio
        end as deeper_ratio,
        case
            when not starts_with(basis, 'queue_depth=') then busy_ratio
            else busy_ratio * shared_value / base_value
        end as ideal_ratio,
        compared(
            false,
            {% for side in ['array', 'base'] %}
                ln({{ side }}_value), {{ side }}_run_count, {{ side }}_session_count, {{ side }}_n,
                {{ side }}_log_variance, {{ side }}_low_half, {{ side }}_high_half, {{ side }}_is_held_back,
                {{ side }}_is_peak, {{ side }}_is_stated_bound,
            {% endfor %}
            margin_ratio
        ) as judgement
    from based
    left join reaching
        on
            based.array_operand_id = reaching.array_operand_id
            and based.base_operand_id = reaching.base_operand_id

),

final as (

    select
        left(
            md5(
                concat_ws(
                    ' ',
                    'scaling',
                    submission_id,
                    workload_id,
                    metric,
                    array_configuration_id,
                    array_section,
                    base_configuration_id,
                    base_section,
                    basis
                )
            ),
            16
        ) as scaling_id,
        submission_id,
        workload_id,
        load_profile,
        metric,
        topology,
        drive_count,
        basis,
        array_queue_depth_per_drive as queue_depth_per_drive,
        array_queue_depth as queue_depth,
        base_queue_depth,
        array_configuration_id,
        array_section,
        base_configuration_id,
        base_section,
        device_id,
        device,
        array_value,
        base_value,
        array_value / base_value as factor_ratio,
        round(judgement['ratio_low'], 12) as factor_ratio_low,
        round(judgement['ratio_high'], 12) as factor_ratio_high,
        coalesce(judgement['ratio_interval_kind'], 'none') as factor_ratio_interval_kind,
        ideal_ratio,
        array_queue_depth is null as is_depth_assumed,
        array_value / base_value / ideal_ratio as efficiency_ratio,
        round(judgement['ratio_low'] / ideal_ratio, 12) as efficiency_ratio_low,
        round(judgement['ratio_high'] / ideal_ratio, 12) as efficiency_ratio_high,
        case
            -- what rounding or scatter may have made is not faster than can be; of single runs nobody knows the scatter
            when coalesce(judgement['ratio_low'], array_value / base_value) <= superlinear_ratio * ideal_ratio
                then false
            -- another engine or scheduler may be what made the excess, and so may writes that wait in a cache
            when len(list_filter(condition_columns, lambda each: regexp_matches(each, '^(engine|io_scheduler):'))) > 0
                then null
            when coalesce(read_ratio < 1, true) and coalesce(is_written_back, true) then null
            else judgement['ratio_low'] > superlinear_ratio * ideal_ratio * deeper_ratio
        end as is_superlinear,
        stated_factor_ratio,
        stated_factor_text,
        claim_id,
        array_value / stated_factor_ratio as implied_base_value,
        not is_excluded and worst_check < 3 as is_comparable,
        condition_columns,
        list_concat(
            list_filter(
                [
                    case when array_section <> base_section then 'numbers from different sections' end,
                    case
                        when busy_queue_depth <> base_queue_depth
                            then
                                concat(
                                    'queue depth per drive differs: ',
                                    format('{:.6g}', array_queue_depth_per_drive),
                                    ' against ',
                                    base_queue_depth
                                )
                    end,
                    case when array_is_peak <> base_is_peak then 'a peak against a single queue depth' end,
                    case when 'approximate' in (array_value_kind, base_value_kind) then 'approximate figures' end
                ],
                lambda reason: reason is not null
            ),
            check_verdicts
        ) as reasons
    from idealised
    -- what a key condition or a failed check tells apart has a factor only where the source states one
    where (not is_excluded and worst_check < 3) or claim_id is not null

)

select * from final
