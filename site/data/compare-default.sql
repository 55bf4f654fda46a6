-- The quotients of the pair that the page opens with: an Optane drive and one of NAND, which is what most readers come
-- to choose between; of several, and where there is none, two devices repeated three times or more, of the best grade,
-- with an answer under the most loads.
with pairs as (
    select a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
    from quotients
    where question = 'device' and quotient_ratio is not null
    group by all
    order by
        any_value(a_media_class) = 'ssd_optane'
        and any_value(b_media_class) in ('ssd_nvme', 'ssd_pcie', 'ssd_sas', 'ssd_sata') desc,
        least(min(least(a_repetition_count, b_repetition_count)), 3) desc, max(comparability_grade),
        count(*) filter (where verdict = 'A faster') desc, count(*) filter (where verdict like 'A faster%') desc,
        count(*) desc, median(quotient_ratio) desc,
        a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
    limit 1
)

select
    pair_id, quotient_id, workload_id, load_profile, metric, basis, a_submission_id, a_configuration_id, a_section, a_device, a_device_id,
    a_value, a_repetition_count, b_submission_id, b_configuration_id, b_section, b_device, b_device_id, b_value,
    b_repetition_count, quotient_ratio, low_ratio, high_ratio, verdict, verdict_basis, margin_ratio, evidence,
    comparability_grade, comparability_reasons
from quotients
inner join pairs using (a_submission_id, a_configuration_id, b_submission_id, b_configuration_id)
order by load_profile, metric, basis, a_section, b_section, quotient_id
