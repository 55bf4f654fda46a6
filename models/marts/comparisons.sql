with final as (

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
    from {{ ref('int_comparisons') }}
    where reason is null and choice_rank = 1

)

select * from final
