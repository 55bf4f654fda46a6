-- Runs that are fewer than three on a side say nothing of their spread: a verdict on them names what it assumes. Only a
-- printed bound, which does not scatter, may decide beside repeated runs.
select
    quotients.workload_id,
    quotients.metric,
    quotients.basis,
    quotients.a_configuration_id,
    quotients.b_configuration_id,
    quotients.verdict
from {{ ref('quotients') }} as quotients
where
    quotients.evidence <> 'printed'
    and least(quotients.a_repetition_count, quotients.b_repetition_count) < 3
    and (quotients.verdict in ('A faster', 'B faster') or starts_with(quotients.verdict, 'equal'))
