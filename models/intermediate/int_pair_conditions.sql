{{ config(materialized='table') }}

with comparisons as (

    select * from {{ ref('int_comparisons') }}
    where choice_rank = 1 or reason = 'key_differs'

),

found as (

    select * from {{ ref('int_pair_effects') }}

),

compared as materialized (

    select
        likeness_id,
        context_id,
        unnest(compared_columns) as compared_column
    from found

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
        likeness_id
    from comparisons

),

differing as materialized (

    select
        met.pair_id,
        met.operation,
        compared.compared_column['column_name'] as column_name,
        min(compared.compared_column['effect']) as effect,
        bool_or(compared.compared_column['is_unknown']) as is_unknown,
        min(if(met.is_turned, compared.compared_column['b_value'], compared.compared_column['a_value'])) as a_value,
        min(if(met.is_turned, compared.compared_column['a_value'], compared.compared_column['b_value'])) as b_value
    from met
    inner join compared on met.likeness_id = compared.likeness_id and met.context_id = compared.context_id
    where compared.compared_column['is_different'] or compared.compared_column['is_unknown']
    group by met.pair_id, met.operation, compared.compared_column['column_name']

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
