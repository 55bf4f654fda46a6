{{ config(materialized='table') }}

with pairs as (

    select * from {{ ref('int_operands_paired') }}

),

compared as (

    select * from {{ ref('int_operands_compared') }}

),

summarised as (

    select
        circumstances_id,
        bool_or(verdict = 'differs') as has_difference,
        bool_or(verdict = 'unknown') as has_unknown,
        string_agg(distinct reason, '; ' order by reason) as reasons
    from compared
    group by circumstances_id

),

final as (

    select
        pairs.*,
        case
            when summarised.has_difference then 'X'
            when summarised.has_unknown then 'C'
            when summarised.reasons is not null then 'B'
            else 'A'
        end as comparability_grade,
        coalesce(summarised.reasons, '') as comparability_reasons
    from pairs
    left join summarised on pairs.circumstances_id = summarised.circumstances_id

)

select * from final
