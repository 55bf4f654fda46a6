-- Fewer than three runs of a side decide nothing. Only a printed bound, which does not scatter, may decide beside
-- repeated runs.
select
    quotients.comparison_id,
    quotients.verdict
from {{ ref('quotients') }} as quotients
inner join {{ ref('pairs') }} as pairs
    on quotients.pair_id = pairs.pair_id and quotients.operation = pairs.operation
where
    pairs.evidence <> 'printed'
    and least(quotients.a_run_count, quotients.b_run_count) < 3
    and quotients.verdict in ('A faster', 'B faster', 'equal')
