-- A mean over low depths is exact only where every quotient it is made of is: what is open at one depth is open in it.
select
    means.workload_id,
    means.metric,
    means.a_configuration_id,
    means.b_configuration_id
from {{ ref('quotients') }} as means
inner join {{ ref('quotients') }} as members
    on
        means.workload_id = members.workload_id
        and means.metric = members.metric
        and means.a_submission_id = members.a_submission_id
        and means.a_configuration_id = members.a_configuration_id
        and means.a_section = members.a_section
        and means.b_submission_id = members.b_submission_id
        and means.b_configuration_id = members.b_configuration_id
        and means.b_section = members.b_section
where
    means.basis = 'low_depth'
    and means.quotient_ratio is not null
    and members.queue_depth in (1, 2, 4)
    and members.quotient_ratio is null
