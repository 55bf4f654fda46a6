with quotients as (

    select * from {{ ref('quotients') }}

),

at_low_depths as (

    select
        workload_id,
        min(load_profile) as load_profile,
        metric,
        a_submission_id,
        a_configuration_id,
        a_section,
        min(a_device) as a_device,
        b_submission_id,
        b_configuration_id,
        b_section,
        min(b_device) as b_device,
        count(*) as depth_count,
        string_agg(queue_depth, ', ' order by queue_depth) as queue_depths,
        avg(ln(quotient_ratio) order by queue_depth) as mean_logarithm,
        min(quotient_ratio) as lowest_ratio,
        max(quotient_ratio) as highest_ratio,
        max(comparability_grade) as comparability_grade,
        string_agg(comparability_reasons, '; ') as reasons,
        string_agg(comparability_waivers, '; ') as waivers
    from quotients
    where queue_depth in (1, 2, 4) and metric <> 'latency_mean_seconds'
    group by
        workload_id,
        metric,
        a_submission_id,
        a_configuration_id,
        a_section,
        b_submission_id,
        b_configuration_id,
        b_section

),

at_peak as (

    select *
    from quotients
    where basis = 'peak'

),

final as (

    select
        at_low_depths.* exclude (mean_logarithm, reasons, waivers),
        case when at_low_depths.depth_count >= 2 then round(exp(at_low_depths.mean_logarithm), 12) end
            as advantage_ratio,
        array_to_string(
            list_sort(
                list_distinct(list_filter(string_split(at_low_depths.reasons, '; '), lambda reason: reason <> ''))
            ),
            '; '
        ) as comparability_reasons,
        array_to_string(
            list_sort(
                list_distinct(list_filter(string_split(at_low_depths.waivers, '; '), lambda waiver: waiver <> ''))
            ),
            '; '
        ) as comparability_waivers,
        at_peak.quotient_ratio as peak_ratio,
        (at_low_depths.lowest_ratio > 1 and at_peak.quotient_ratio < 1)
        or (at_low_depths.highest_ratio < 1 and at_peak.quotient_ratio > 1) as is_sign_flipped
    from at_low_depths
    left join at_peak
        on
            at_low_depths.workload_id = at_peak.workload_id
            and at_low_depths.metric = at_peak.metric
            and at_low_depths.a_submission_id = at_peak.a_submission_id
            and at_low_depths.a_configuration_id = at_peak.a_configuration_id
            and at_low_depths.a_section = at_peak.a_section
            and at_low_depths.b_submission_id = at_peak.b_submission_id
            and at_low_depths.b_configuration_id = at_peak.b_configuration_id
            and at_low_depths.b_section = at_peak.b_section

)

select * from final
