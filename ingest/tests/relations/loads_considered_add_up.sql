-- For each pair of configurations, comparisons + choices + excluded loads = loads considered.
with considered as (

    select
        pair_id,
        count(*) as load_count
    from {{ ref('int_comparisons') }}
    group by pair_id

),

compared as (

    select
        pair_id,
        sum(1 + choice_count) as load_count
    from {{ ref('comparisons') }}
    group by pair_id

),

excluded as (

    select
        pair_id,
        sum(load_count) as load_count
    from {{ ref('excluded_loads') }}
    where reason in ('key_differs', 'invalid', 'processes_differ')
    group by pair_id

)

select
    considered.pair_id,
    considered.load_count,
    compared.load_count as compared_count,
    excluded.load_count as excluded_count
from considered
left join compared on considered.pair_id = compared.pair_id
left join excluded on considered.pair_id = excluded.pair_id
where considered.load_count <> coalesce(compared.load_count, 0) + coalesce(excluded.load_count, 0)
