with quotients as (

    select * from {{ ref('quotients') }}

),

known_profile_sets as (

    select * from {{ ref('known_profile_sets') }}

),

profile_sets as (

    select
        profile_set_id,
        count(*) as expected_count
    from known_profile_sets
    group by profile_set_id

),

members as (

    select
        quotients.*,
        known_profile_sets.profile_set_id,
        known_profile_sets.profile_set
    from quotients
    inner join known_profile_sets
        on
            quotients.workload_id = known_profile_sets.workload_id
            and quotients.metric = known_profile_sets.metric

),

summarised as (

    select
        profile_set_id,
        min(profile_set) as profile_set,
        basis,
        a_submission_id,
        a_configuration_id,
        a_section,
        min(a_device) as a_device,
        b_submission_id,
        b_configuration_id,
        b_section,
        min(b_device) as b_device,
        count(*) as load_profile_count,
        string_agg(load_profile, ', ' order by load_profile) as load_profiles,
        avg(ln(quotient_ratio) order by workload_id) as mean_logarithm,
        min(quotient_ratio) as lowest_ratio,
        arg_min(load_profile, row(quotient_ratio, workload_id)) as lowest_load_profile,
        max(quotient_ratio) as highest_ratio,
        arg_max(load_profile, row(quotient_ratio, workload_id)) as highest_load_profile,
        max(comparability_grade) as comparability_grade,
        string_agg(comparability_reasons, '; ') as reasons,
        string_agg(comparability_waivers, '; ') as waivers
    from members
    group by
        profile_set_id,
        basis,
        a_submission_id,
        a_configuration_id,
        a_section,
        b_submission_id,
        b_configuration_id,
        b_section

),

final as (

    select
        summarised.* exclude (mean_logarithm, reasons, waivers),
        profile_sets.expected_count,
        case
            when summarised.load_profile_count = profile_sets.expected_count
                then round(exp(summarised.mean_logarithm), 12)
        end as geomean_ratio,
        array_to_string(
            list_sort(list_distinct(list_filter(string_split(summarised.reasons, '; '), lambda reason: reason <> ''))),
            '; '
        ) as comparability_reasons,
        array_to_string(
            list_sort(list_distinct(list_filter(string_split(summarised.waivers, '; '), lambda waiver: waiver <> ''))),
            '; '
        ) as comparability_waivers
    from summarised
    inner join profile_sets on summarised.profile_set_id = profile_sets.profile_set_id

)

select * from final
