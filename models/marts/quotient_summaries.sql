{% set sides = ['submission_id', 'configuration_id', 'section'] %}
{% set group %}
hash(row(
            profile_set_id, basis, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
            b_section
        ))
{%- endset %}

with judged as (

    select * from {{ ref('int_quotients_joined') }}
    where basis <> 'low_depth'

),

limits as (

    select max(limit_value) filter (where limit_id = 'significance') as significance
    from {{ ref('known_limits') }}

),

known_profile_sets as (

    select
        *,
        row_number() over (partition by profile_set_id order by load_profile, metric) as place
    from {{ ref('known_profile_sets') }}

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
        judged.*,
        known_profile_sets.profile_set_id,
        known_profile_sets.profile_set,
        known_profile_sets.place,
        judged.judgement['p_value'] as p_value,
        {{ group }} as pair_key
    from judged
    inner join known_profile_sets
        on judged.load_profile = known_profile_sets.load_profile and judged.metric = known_profile_sets.metric

),

-- with no column that they do not need: a window carries all of them through its sort
weighed as (

    select
        pair_key,
        a_operand_id,
        b_operand_id,
        place,
        p_value,
        -- those without a p are not counted
        case
            when p_value is not null
                then
                    least(
                        1,
                        p_value * (count(p_value) over (partition by pair_key) + 1 - row_number() over by_p)
                    )
        end as weighed_p_value
    from members
    window by_p as (partition by pair_key order by p_value asc nulls last, place asc)

),

-- Holm: of several comparisons some come out by chance, so each must hold at its share of the significance
adjusted as (

    select
        pair_key,
        a_operand_id,
        b_operand_id,
        place,
        max(weighed_p_value) over (
            partition by pair_key
            order by p_value asc nulls last, place asc
            rows between unbounded preceding and current row
        ) as adjusted_p_value
    from weighed

),

means as (

    select
        pair_key,
        judged_mean(list_select(list(member), list_grade_up(list(place))), min(margin_ratio)) as judgement
    from members
    group by pair_key

),

orders as (

    select unnest([false, true]) as is_turned

),

turned as (

    select
        members.* exclude (judgement, member) replace (
            {% for side, other in [['a', 'b'], ['b', 'a']] %}
                {% for column in sides + ['device'] %}
                    if(is_turned, {{ other }}_{{ column }}, {{ side }}_{{ column }}) as {{ side }}_{{ column }}
                    {{- ',' if not loop.last }}
                {% endfor %}
                {{- ',' if not loop.last }}
            {% endfor %}
        ),
        orders.is_turned,
        adjusted.adjusted_p_value,
        if(is_turned, 1 / judgement['ratio'], judgement['ratio']) as member_ratio,
        case
            when is_turned and starts_with(judgement['verdict'], 'A ') then concat('B', judgement['verdict'][2:])
            when is_turned and starts_with(judgement['verdict'], 'B ') then concat('A', judgement['verdict'][2:])
            else judgement['verdict']
        end as member_verdict
    from members
    inner join adjusted
        on
            members.pair_key = adjusted.pair_key
            and members.a_operand_id = adjusted.a_operand_id
            and members.b_operand_id = adjusted.b_operand_id
            and members.place = adjusted.place
    cross join orders

),

settled as (

    select
        *,
        case
            when starts_with(member_verdict, 'equal') then 'equal'
            when contains(member_verdict, ', if ') then 'conditional'
            when adjusted_p_value <= significance and starts_with(member_verdict, 'A') then 'A faster'
            when adjusted_p_value <= significance and starts_with(member_verdict, 'B') then 'B faster'
            else 'undecided'
        end as holm_verdict
    from turned
    cross join limits

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
        array_to_string(list_sort(list(load_profile)), ', ') as load_profiles,
        min(pair_key) as pair_key,
        bool_or(is_turned) as is_turned,
        min(margin_ratio) as margin_ratio,
        min(member_ratio) as lowest_ratio,
        arg_min(load_profile, row(member_ratio, load_profile)) as lowest_load_profile,
        max(member_ratio) as highest_ratio,
        arg_max(load_profile, row(member_ratio, load_profile)) as highest_load_profile,
        count(*) filter (where holm_verdict = 'A faster') as a_faster_count,
        count(*) filter (where holm_verdict = 'B faster') as b_faster_count,
        count(*) filter (where holm_verdict = 'equal') as equal_count,
        count(*) filter (where holm_verdict = 'conditional') as conditional_count,
        count(*) filter (where holm_verdict = 'undecided') as undecided_count,
        bool_and(member_verdict = 'A faster') as is_a_faster_in_all,
        bool_and(contains(kind, 'sessions')) as rests_on_sessions,
        max(comparability_grade) as comparability_grade,
        string_agg(reasons, '; ') as reasons
    from settled
    group by
        profile_set_id, basis, a_submission_id, a_configuration_id, a_section, b_submission_id, b_configuration_id,
        b_section

),

averaged as (

    select
        summarised.* exclude (pair_key, is_turned, reasons, rests_on_sessions),
        profile_sets.expected_count,
        summarised.load_profile_count = profile_sets.expected_count as is_whole,
        case
            when is_whole
                then round(case when is_turned then 1 / means.judgement['ratio'] else means.judgement['ratio'] end, 12)
        end as geomean_ratio,
        case
            when is_whole
                then round(case when is_turned then 1 / means.judgement['high'] else means.judgement['low'] end, 12)
        end as low_ratio,
        case
            when is_whole
                then round(case when is_turned then 1 / means.judgement['low'] else means.judgement['high'] end, 12)
        end as high_ratio,
        case
            when is_whole
                then
                    case
                        when rests_on_sessions then replace(means.judgement['kind'], 'repetitions', 'sessions')
                        else means.judgement['kind']
                    end
        end as uncertainty_kind,
        case
            when not is_whole then null
            when not is_turned then means.judgement['verdict']
            when starts_with(means.judgement['verdict'], 'A ') then concat('B', means.judgement['verdict'][2:])
            when starts_with(means.judgement['verdict'], 'B ') then concat('A', means.judgement['verdict'][2:])
            else means.judgement['verdict']
        end as verdict,
        case when is_whole then means.judgement['verdict_basis'] end as verdict_basis,
        array_to_string(
            list_sort(list_distinct(list_filter(string_split(summarised.reasons, '; '), lambda reason: reason <> ''))),
            '; '
        ) as comparability_reasons
    from summarised
    inner join means on summarised.pair_key = means.pair_key
    inner join profile_sets on summarised.profile_set_id = profile_sets.profile_set_id

),

final as (

    select * exclude (is_whole) from averaged

)

select * from final
