with considered as (

    select * from {{ ref('int_comparisons') }}

),

-- how many other ways to the same load there are, and how far the ratios of those that may be compared go
choices as (

    select
        pair_id,
        workload_id,
        metric,
        basis,
        cast(count(*) - 1 as bigint) as choice_count,
        min(judgement['ratio']) filter (where reason is null) as choice_ratio_low,
        max(judgement['ratio']) filter (where reason is null) as choice_ratio_high
    from considered
    group by pair_id, workload_id, metric, basis

),

final as (

    select
        left(md5(concat_ws(' ', chosen.a_point_id, chosen.b_point_id, chosen.metric)), 16) as comparison_id,
        chosen.pair_id,
        chosen.workload_id,
        chosen.queue_depth,
        chosen.metric,
        chosen.a_point_id,
        chosen.b_point_id,
        chosen.judgement['ratio'] as ratio,
        chosen.judgement['ratio_low'] as ratio_low,
        chosen.judgement['ratio_high'] as ratio_high,
        chosen.judgement['ratio_interval_kind'] as ratio_interval_kind,
        chosen.judgement['verdict'] as verdict,
        chosen.judgement['reason'] as reason,
        chosen.judgement['tolerated_spread_ratio'] as tolerated_spread_ratio,
        chosen.judgement['p_value'] as p_value,
        choices.choice_count,
        if(choices.choice_count > 0, choices.choice_ratio_low, null) as choice_ratio_low,
        if(choices.choice_count > 0, choices.choice_ratio_high, null) as choice_ratio_high,
        chosen.is_generator_bound
    from considered as chosen
    inner join choices
        on
            chosen.pair_id = choices.pair_id
            and chosen.workload_id = choices.workload_id
            and chosen.metric = choices.metric
            and chosen.basis = choices.basis
    where chosen.choice_rank = 1

)

select * from final
