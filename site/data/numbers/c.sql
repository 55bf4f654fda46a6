with named as (
    select
        submission_id,
        claim_id,
        side,
        unnest(regexp_extract_all(words, 'figure:([^\s,;()+*/]+)', 1)) as figure_id
    from (
        select submission_id, claim_id, 1 as side, numerator as words from claims
        union all
        select submission_id, claim_id, 2 as side, denominator as words from claims
    )
),

operands as (
    select
        named.submission_id,
        named.claim_id,
        list(
            {
                figure: figures.figure_id, result: figures.result_id, side: named.side, text: figures.printed_text,
                unit: figures.printed_unit, value: figures.printed_value, section: figures.section,
                line: figures.line, 'at': figures.source_pointer
            } order by named.side, figures.figure_id
        ) as figures
    from named
    inner join figures on named.submission_id = figures.submission_id and named.figure_id = figures.figure_id
    group by named.submission_id, named.claim_id
),

factors as (
    select submission_id, claim_id, list(scaling_id order by scaling_id) as factors
    from scaling
    where claim_id is not null
    group by submission_id, claim_id
)

select
    claims.submission_id || '/' || claims.claim_id as id,
    claims.*,
    files.path as source_path,
    operands.figures,
    factors.factors
from claims
left join files on claims.file_id = files.file_id
left join operands on claims.submission_id = operands.submission_id and claims.claim_id = operands.claim_id
left join factors on claims.submission_id = factors.submission_id and claims.claim_id = factors.claim_id
order by id
