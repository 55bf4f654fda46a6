{{ config(materialized='table') }}

with comparisons as (

    select * from {{ ref('int_comparisons') }}
    where choice_rank = 1 or reason = 'key_differs'

),

alike as (

    select * from {{ ref('int_circumstances_alike') }}

),

compared as materialized (

    select * from {{ ref('int_columns_compared') }}

),

contexts as materialized (

    select distinct
        context_id,
        context
    from {{ ref('int_pairs_in_context') }}

),

applying as materialized (

    select
        context_id,
        unnest(string_split(applicable_columns(context), ',')) as column_name
    from contexts

),

met as materialized (

    select distinct
        pair_id,
        operation,
        context_id,
        is_turned,
        a_circumstances_id,
        b_circumstances_id
    from comparisons

),

differing as materialized (

    select
        met.pair_id,
        met.operation,
        compared.column_name,
        min(compared.effect) as effect,
        bool_or(compared.a_condition is null or compared.b_condition is null) as is_unknown,
        min(if(met.is_turned, compared.b_value, compared.a_value)) as a_value,
        min(if(met.is_turned, compared.a_value, compared.b_value)) as b_value
    from met
    inner join alike
        on met.a_circumstances_id = alike.a_circumstances_id and met.b_circumstances_id = alike.b_circumstances_id
    inner join compared on alike.likeness_id = compared.likeness_id and met.context_id = compared.context_id
    where compared.a_condition is distinct from compared.b_condition or compared.a_condition is null
    group by met.pair_id, met.operation, compared.column_name

),

applicable as (

    select distinct
        met.pair_id,
        met.operation,
        applying.column_name
    from met
    inner join applying on met.context_id = applying.context_id

),

final as (

    select
        pair_id,
        operation,
        column_name,
        effect,
        if(is_unknown, 'unknown', 'differs') as state,
        a_value,
        b_value
    from differing
    where effect is not null
    union all
    select
        applicable.pair_id,
        applicable.operation,
        applicable.column_name,
        cast(null as varchar) as effect,
        'equal' as state,
        cast(null as varchar) as a_value,
        cast(null as varchar) as b_value
    from applicable
    anti join differing
        on
            applicable.pair_id = differing.pair_id
            and applicable.operation = differing.operation
            and applicable.column_name = differing.column_name
            -- what neither side states is not equal, even where nothing follows from it
            and (differing.effect is not null or differing.is_unknown)

)

select * from final
