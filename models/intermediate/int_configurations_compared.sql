with circumstances as (

    select * from {{ ref('int_circumstances_paired') }}

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
    from circumstances

),

-- each side is joined on its own, because joining the sides to each other first would pair everything with everything
with_a as materialized (

    select
        pairs.*,
        a.condition_name,
        a.condition_value as a_condition_value,
        a.applies_to,
        a.is_key
    from pairs
    inner join conditions as a
        on pairs.a_submission_id = a.submission_id and pairs.a_configuration_id = a.configuration_id

),

compared as (

    select
        with_a.a_submission_id,
        with_a.a_configuration_id,
        with_a.b_submission_id,
        with_a.b_configuration_id,
        with_a.condition_name,
        with_a.applies_to,
        case
            when with_a.is_key and (with_a.a_condition_value is null or b.condition_value is null) then 'unknown'
            when with_a.is_key and with_a.a_condition_value <> b.condition_value then 'differs'
            when with_a.a_condition_value <> b.condition_value then 'reservation'
            when with_a.condition_name = 'steady state' and with_a.a_condition_value in ('none', 'stated')
                then 'reservation'
        end as verdict,
        case
            when
                with_a.is_key and (with_a.a_condition_value is null or b.condition_value is null)
                then concat(with_a.condition_name, ' unknown')
            when with_a.a_condition_value <> b.condition_value then concat(with_a.condition_name, ' differs')
            when with_a.a_condition_value = 'stated' then 'steady state by the submitter''s own rule'
            else 'no steady state established'
        end as reason
    from with_a
    inner join conditions as b
        on
            with_a.b_submission_id = b.submission_id
            and with_a.b_configuration_id = b.configuration_id
            and with_a.condition_name = b.condition_name

),

final as (

    select *
    from compared
    where verdict is not null

)

select * from final
