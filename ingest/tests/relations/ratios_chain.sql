-- A over B times B over C is A over C to 2e-11, wherever all three are compared: one value of a point enters all of
-- them.
select
    first_step.a_point_id,
    first_step.b_point_id,
    second_step.b_point_id as c_point_id,
    first_step.metric
from {{ ref('quotients') }} as first_step
inner join {{ ref('quotients') }} as second_step
    on first_step.b_point_id = second_step.a_point_id and first_step.metric = second_step.metric
inner join {{ ref('quotients') }} as both_steps
    on
        first_step.a_point_id = both_steps.a_point_id
        and second_step.b_point_id = both_steps.b_point_id
        and first_step.metric = both_steps.metric
where
    first_step.a_point_id < first_step.b_point_id
    and first_step.b_point_id < second_step.b_point_id
    and abs(first_step.ratio * second_step.ratio / both_steps.ratio - 1) > 2e-11
