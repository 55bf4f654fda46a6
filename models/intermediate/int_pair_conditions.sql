{{ config(materialized='table') }}

with met as materialized (

    select distinct
        pair_id,
        operation,
        a_circumstances_id,
        b_circumstances_id,
        context_id,
        context
    from {{ ref('int_comparisons') }}
    where (reason is null and choice_rank = 1) or reason = 'key_differs'

),

applicable as (

    select distinct
        pair_id,
        operation,
        unnest(string_split(applicable_columns(context), ',')) as column_name,
        true as is_applicable
    from met

),

compared as (

    select
        met.pair_id,
        met.operation,
        unnest(effects.compared_columns) as each
    from met
    inner join {{ ref('int_pair_effects') }} as effects using (a_circumstances_id, b_circumstances_id, context_id)

),

differing as (

    select
        pair_id,
        operation,
        each['column_name'] as column_name,
        min(each['condition_name']) as condition_name,
        min(each['effect']) as effect,
        bool_or(each['is_unknown']) as is_unknown,
        min(each['a_value']) as a_value,
        min(each['b_value']) as b_value
    from compared
    where each['is_different'] or each['is_unknown']
    group by pair_id, operation, column_name

),

final as (

    select
        * exclude (is_applicable, is_unknown),
        case when effect is null then 'equal' when is_unknown then 'unknown' else 'differs' end as state
    from applicable
    full join differing using (pair_id, operation, column_name)
    -- what neither side states is not equal, even where nothing follows from it
    where effect is not null or (is_applicable and is_unknown is not true)

)

select * from final
