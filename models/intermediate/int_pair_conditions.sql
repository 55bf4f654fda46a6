{{ config(materialized='table') }}

with met as materialized (

    select distinct
        pair_id,
        operation,
        a_circumstances_id,
        b_circumstances_id,
        context_id,
        is_turned
    from {{ ref('int_comparisons') }}
    where choice_rank = 1 or reason = 'key_differs'

),

contexts as (

    select
        context_id,
        string_split(applicable_columns(min(context)), ',') as column_names
    from {{ ref('int_pairs_in_context') }}
    group by context_id

),

applicable as (

    select distinct
        met.pair_id,
        met.operation,
        unnest(contexts.column_names) as column_name,
        true as is_applicable
    from met
    inner join contexts using (context_id)

),

compared as (

    select
        met.pair_id,
        met.operation,
        met.is_turned,
        unnest(effects.compared_columns) as each
    from met
    inner join {{ ref('int_pair_effects') }} as effects using (a_circumstances_id, b_circumstances_id, context_id)

),

differing as (

    select
        pair_id,
        operation,
        each['column_name'] as column_name,
        min(each['effect']) as effect,
        bool_or(each['is_unknown']) as is_unknown,
        min(if(is_turned, each['b_value'], each['a_value'])) as a_value,
        min(if(is_turned, each['a_value'], each['b_value'])) as b_value
    from compared
    where each['is_different'] or each['is_unknown']
    group by pair_id, operation, column_name

),

final as (

    select
        pair_id,
        operation,
        column_name,
        differing.effect,
        case
            when differing.effect is null then 'equal'
            when differing.is_unknown then 'unknown'
            else 'differs'
        end as state,
        case when differing.effect is not null then differing.a_value end as a_value,
        case when differing.effect is not null then differing.b_value end as b_value
    from applicable
    full join differing using (pair_id, operation, column_name)
    -- what neither side states is not equal, even where nothing follows from it
    where differing.effect is not null or (applicable.is_applicable and differing.is_unknown is not true)

)

select * from final
