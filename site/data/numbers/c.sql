with named as (
    select
        submission_id, claim_id, 1 as side,
        unnest(regexp_extract_all(numerator, 'figure:([^\s,;()+*/]+)', 1)) as figure_id
    from claims
    union all
    select submission_id, claim_id, 2, unnest(regexp_extract_all(denominator, 'figure:([^\s,;()+*/]+)', 1)) from claims
),

operands as (
    select
        submission_id, claim_id,
        list(
            {result: result_id, side: side, text: printed_text, section: section, line: line} order by side, figure_id
        ) as figures
    from named
    inner join figures using (submission_id, figure_id)
    group by submission_id, claim_id
),

factors as (
    select submission_id, claim_id, list(scaling_id order by scaling_id) as factors
    from scaling
    where claim_id is not null
    group by submission_id, claim_id
)

select claims.submission_id || '/' || claims.claim_id as id, claims.*, files.path as source_path, figures, factors
from claims
left join files using (file_id)
left join operands on (claims.submission_id, claims.claim_id) = (operands.submission_id, operands.claim_id)
left join factors on (claims.submission_id, claims.claim_id) = (factors.submission_id, factors.claim_id)
order by id
