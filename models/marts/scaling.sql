{% set carried = [
    'value', 'variance', 'degrees', 'low_half', 'high_half', 'session_count', 'kind', 'is_peak', 'queue_depth',
    'queue_depth_per_drive', 'process_count', 'value_kind', 'section', 'configuration_id'
] %}

with pairs as (

    select * from {{ ref('int_loads_paired') }}

),

loads as (

    select
        *,
        load_value as value
    from {{ ref('int_loads_listed') }}

),

pairs_in_context as (

    select * from {{ ref('int_pairs_in_context') }}
    where is_scaling

),

grades as (

    select * from {{ ref('int_pairs_graded') }}

),

graded as (

    select
        pairs_in_context.a_operand_id,
        pairs_in_context.b_operand_id,
        grades.grade,
        grades.grade_columns,
        grades.reasons
    from pairs_in_context
    inner join grades
        on
            pairs_in_context.a_circumstances_id = grades.a_circumstances_id
            and pairs_in_context.b_circumstances_id = grades.b_circumstances_id
            and pairs_in_context.context = grades.context

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
        coalesce(
            a.bench_key = b.bench_key
            and a.session_count = 1
            and b.session_count = 1
            and a.first_started_at < b.last_started_at
            and b.first_started_at < a.last_started_at,
            false
        ) as is_alternating,
        graded.grade,
        graded.grade_columns,
        concat_ws('; ', nullif(graded.reasons, ''), a.check_verdicts, b.check_verdicts) as listed_reasons,
        greatest(a.worst_check, b.worst_check) as worst_check,
        -- of each drive that is busy; a peak has no depth
        case when not a.is_peak then greatest(a.queue_depth_per_drive, 1) end as busy_queue_depth,
        -- the one drive at the depth that each drive of the array has, for a comparison at equal total depth
        curve.load_value as shared_value
    from pairs
    inner join loads as a on pairs.array_operand_id = a.operand_id
    inner join loads as b on pairs.base_operand_id = b.operand_id
    inner join graded on a.operand_id = graded.a_operand_id and b.operand_id = graded.b_operand_id
    left join loads as curve
        on
            b.submission_id = curve.submission_id
            and b.configuration_id = curve.configuration_id
            and b.section = curve.section
            and b.workload_id = curve.workload_id
            and b.metric = curve.metric
            and not a.is_peak
            and greatest(a.queue_depth_per_drive, 1) = curve.queue_depth

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
                    topology, drive_count, read_ratio, array_queue_depth, block_size_bytes, raid_stripe_bytes,
                    array_queue_depth is null
                )
        end as busy_ratio
    from joined
    cross join limits

),

idealised as (

    select
        *,
        case
            when not starts_with(basis, 'queue_depth=') then busy_ratio
            else busy_ratio * shared_value / base_value
        end as ideal_ratio,
        judged(
            false,
            {% for side in ['array', 'base'] %}
                {{ side }}_value, {{ side }}_variance, {{ side }}_degrees, {{ side }}_low_half, {{ side }}_high_half,
                coalesce({{ side }}_session_count, 1) < 3 and not is_alternating,
            {% endfor %}
            margin_ratio, array_kind, base_kind
        ) as judgement
    from based

),

final as (

    select
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
        round(judgement['low'], 12) as factor_low_ratio,
        round(judgement['high'], 12) as factor_high_ratio,
        judgement['kind'] as uncertainty_kind,
        ideal_ratio,
        array_queue_depth is null as is_depth_assumed,
        array_value / base_value / ideal_ratio as efficiency_ratio,
        round(judgement['low'] / ideal_ratio, 12) as efficiency_low_ratio,
        round(judgement['high'] / ideal_ratio, 12) as efficiency_high_ratio,
        -- what rounding or scatter may have made is not faster than can be; a write to a mirror waits on every copy, so
        -- that each drive has more under way than its share
        case
            when topology in ('raid1', 'raid10') and read_ratio < 1 and array_queue_depth is not null then null
            when judgement['kind'] = 'none' then array_value / base_value > superlinear_ratio * ideal_ratio
            else coalesce(judgement['low'] > superlinear_ratio * ideal_ratio, false)
        end as is_superlinear,
        stated_factor_ratio,
        stated_factor_text,
        claim_id,
        array_value / stated_factor_ratio as implied_base_value,
        case when worst_check > 0 and grade = 'A' then 'B' else grade end as comparability_grade,
        grade_columns,
        concat_ws(
            '; ',
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
            case when 'approximate' in (array_value_kind, base_value_kind) then 'approximate figures' end,
            nullif(listed_reasons, '')
        ) as reasons
    from idealised
    -- what a key condition or a failed check tells apart has a factor only where the source states one
    where (grade <> 'X' and worst_check < 2) or claim_id is not null

)

select * from final
