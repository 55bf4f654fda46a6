{{ config(materialized='table') }}

with pairs as (

    select * from {{ ref('int_circumstances_paired') }}

),

compared as (

    select * from {{ ref('int_circumstances_compared') }}

),

summarised as (

    select
        a_circumstances_id,
        b_circumstances_id,
        bool_or(verdict = 'differs') as has_difference,
        bool_or(verdict = 'unknown') as has_unknown,
        string_agg(distinct reason, '; ' order by reason) filter (where verdict <> 'waived') as reasons,
        string_agg(distinct reason, '; ' order by reason) filter (where verdict = 'waived') as waivers
    from compared
    group by a_circumstances_id, b_circumstances_id

),

final as (

    select
        pairs.a_circumstances_id,
        pairs.b_circumstances_id,
        case
            when summarised.has_difference then 'X'
            when summarised.has_unknown then 'C'
            when summarised.reasons is not null then 'B'
            else 'A'
        end as comparability_grade,
        coalesce(summarised.reasons, '') as comparability_reasons,
        coalesce(summarised.waivers, '') as comparability_waivers
    from pairs
    left join summarised
        on
            pairs.a_circumstances_id = summarised.a_circumstances_id
            and pairs.b_circumstances_id = summarised.b_circumstances_id

)

select * from final
