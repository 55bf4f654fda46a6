with considered as (

    select
        *,
        -- how many other ways to the same load there are, and how far the ratios of those that may be compared go
        cast(count(*) over choices - 1 as bigint) as choice_count,
        min(case when reason is null then judgement['ratio'] end) over choices as lowest_ratio,
        max(case when reason is null then judgement['ratio'] end) over choices as highest_ratio
    from {{ ref('int_comparisons') }}
    window choices as (partition by pair_id, workload_id, metric, basis)

),

final as (

    select
        left(md5(concat_ws(' ', a_point_id, b_point_id, metric)), 16) as comparison_id,
        pair_id,
        workload_id,
        queue_depth,
        metric,
        a_point_id,
        b_point_id,
        judgement['ratio'] as ratio,
        judgement['ratio_low'] as ratio_low,
        judgement['ratio_high'] as ratio_high,
        judgement['ratio_interval_kind'] as ratio_interval_kind,
        judgement['verdict'] as verdict,
        judgement['reason'] as reason,
        judgement['tolerated_spread_ratio'] as tolerated_spread_ratio,
        judgement['p_value'] as p_value,
        choice_count,
        if(choice_count > 0, lowest_ratio, null) as choice_ratio_low,
        if(choice_count > 0, highest_ratio, null) as choice_ratio_high,
        is_generator_bound
    from considered
    where choice_rank = 1

)

select * from final
