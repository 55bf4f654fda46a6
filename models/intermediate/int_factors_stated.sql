with claims as (

    select * from {{ source('raw', 'claims') }}

),

results as (

    select * from {{ ref('results') }}

),

arrays as (

    select
        *,
        concat('figure:', figure_id) as operand
    from results
    where is_comparable and figure_id is not null

),

bases as (

    select * from arrays

),

final as (

    select
        claims.submission_id,
        claims.claim_id,
        claims.claimed_value as stated_factor_ratio,
        concat_ws(', ', claims.claimed_text, claims.qualifier) as stated_factor_text,
        arrays.workload_id,
        arrays.configuration_id as array_configuration_id,
        arrays.section as array_section,
        case when arrays.statistic <> 'peak' then arrays.queue_depth end as array_queue_depth,
        bases.configuration_id as base_configuration_id,
        bases.section as base_section,
        case when bases.statistic <> 'peak' then bases.queue_depth end as base_queue_depth
    from claims
    inner join arrays on claims.submission_id = arrays.submission_id and claims.numerator = arrays.operand
    inner join bases
        on
            claims.submission_id = bases.submission_id
            and claims.denominator = bases.operand
            and arrays.workload_id = bases.workload_id
    where claims.formula = 'ratio'

)

select * from final
