with operands as (

    select * from {{ ref('int_operands_paired') }}

),

conditions as (

    select * from {{ ref('int_conditions_listed') }}

),

pairs as (

    select distinct
        a_submission_id,
        a_configuration_id,
        b_submission_id,
        b_configuration_id
    from operands

),

compared as (

    select
        pairs.*,
        a.condition_name,
        a.applies_to,
        case
            when a.is_key and (a.condition_value is null or b.condition_value is null) then 'unknown'
            when a.is_key and a.condition_value <> b.condition_value then 'differs'
            when a.condition_value <> b.condition_value then 'reservation'
            when a.condition_name = 'steady state' and a.condition_value = 'none' then 'reservation'
        end as verdict,
        case
            when
                a.is_key and (a.condition_value is null or b.condition_value is null)
                then concat(a.condition_name, ' unknown')
            when a.condition_value <> b.condition_value then concat(a.condition_name, ' differs')
            else 'no steady state established'
        end as reason
    from pairs
    inner join conditions as a
        on pairs.a_submission_id = a.submission_id and pairs.a_configuration_id = a.configuration_id
    inner join conditions as b
        on
            pairs.b_submission_id = b.submission_id
            and pairs.b_configuration_id = b.configuration_id
            and a.condition_name = b.condition_name

),

final as (

    select *
    from compared
    where verdict is not null

)

select * from final
