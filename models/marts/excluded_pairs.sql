with pairs as (

    select * from {{ ref('int_operands_paired') }}

),

judged as (

    select * from {{ ref('int_quotients_judged') }}

),

left_out as (

    select * from {{ ref('int_operands_left_out') }}

),

operands as (

    select
        *,
        hash(row(submission_id, configuration_id, section, workload_id, metric)) as series_id
    from {{ ref('int_operands') }}

),

-- what is known of each pair that has no quotient; a single operand stands for its pairs with all other submissions
considered as (

    select
        a_operand_id,
        b_operand_id,
        reason,
        cast(null as varchar) as reason_columns,
        cast(null as varchar) as reason_words,
        used_instead,
        1 as pair_count
    from pairs
    where reason is not null
    union all
    select
        a_operand_id,
        b_operand_id,
        reason,
        case reason
            when 'key_differs' then grade_columns
            else nullif(concat_ws(', ', nullif(a_check_columns, ''), nullif(b_check_columns, '')), '')
        end as reason_columns,
        case reason
            when 'key_differs' then reasons
            else nullif(concat_ws('; ', nullif(a_check_verdicts, ''), nullif(b_check_verdicts, '')), '')
        end as reason_words,
        cast(null as varchar) as used_instead,
        1 as pair_count
    from judged
    where reason is not null
    union all
    select
        operand_id as a_operand_id,
        cast(null as bigint) as b_operand_id,
        reason,
        cast(null as varchar) as reason_columns,
        cast(null as varchar) as reason_words,
        used_instead,
        pair_count
    from left_out

),

-- one load after the other of the same two sides
placed as (

    select
        considered.*,
        a.series_id as a_series_id,
        b.series_id as b_series_id,
        a.basis
    from considered
    inner join operands as a on considered.a_operand_id = a.operand_id
    left join operands as b on considered.b_operand_id = b.operand_id

),

gathered as (

    select
        reason,
        reason_columns,
        min(a_operand_id) as a_operand_id,
        min(b_operand_id) as b_operand_id,
        min(reason_words) as reason_words,
        list(used_instead) as used_instead,
        array_to_string(list_sort(list(basis)), ', ') as bases,
        count(*) as load_count,
        cast(sum(pair_count) as bigint) as pair_count
    from placed
    group by a_series_id, b_series_id, reason, reason_columns

),

named as (

    select
        a.workload_id,
        a.load_profile,
        a.metric,
        a.submission_id as a_submission_id,
        a.configuration_id as a_configuration_id,
        a.section as a_section,
        a.device as a_device,
        b.submission_id as b_submission_id,
        b.configuration_id as b_configuration_id,
        b.section as b_section,
        b.device as b_device,
        gathered.reason,
        gathered.reason_columns,
        gathered.reason_words,
        nullif(array_to_string(list_sort(list_distinct(gathered.used_instead)), '; '), '') as used_instead,
        gathered.bases,
        gathered.load_count,
        gathered.pair_count
    from gathered
    inner join operands as a on gathered.a_operand_id = a.operand_id
    left join operands as b on gathered.b_operand_id = b.operand_id

),

-- two configurations under one load profile that were never measured at the same load
series as (

    select
        submission_id,
        configuration_id,
        workload_id,
        metric,
        min(load_profile) as load_profile,
        min(device) as device,
        bool_or(is_representative) as is_representative,
        list_sort(list(distinct basis)) as bases,
        list_sort(list(distinct split_part(basis, '=', 1)) filter (where basis <> 'peak')) as axes
    from operands
    where own_reason is null and is_complete
    group by submission_id, configuration_id, workload_id, metric

),

-- the same loads again and again: sets that have none in common are few, and most pairs have one
load_sets as (

    select distinct
        workload_id,
        metric,
        bases,
        axes
    from series

),

disjoint as (

    select
        a.workload_id,
        a.metric,
        a.bases as a_bases,
        b.bases as b_bases,
        -- a peak alone has no axis
        case when not list_has_any(a.axes, b.axes) then 'basis_differs' else 'no_common_load' end as reason
    from load_sets as a
    inner join load_sets as b on a.workload_id = b.workload_id and a.metric = b.metric
    where not list_has_any(a.bases, b.bases)

),

-- each side is joined on its own, because joining the sides to each other first would pair everything with everything
with_a as materialized (

    select
        disjoint.b_bases,
        disjoint.reason,
        series.*
    from disjoint
    inner join series
        on
            disjoint.workload_id = series.workload_id
            and disjoint.metric = series.metric
            and disjoint.a_bases = series.bases

),

apart as (

    select
        a.workload_id,
        a.load_profile,
        a.metric,
        a.submission_id as a_submission_id,
        a.configuration_id as a_configuration_id,
        a.device as a_device,
        b.submission_id as b_submission_id,
        b.configuration_id as b_configuration_id,
        b.device as b_device,
        a.reason
    from with_a as a
    inner join series as b
        on
            a.workload_id = b.workload_id
            and a.metric = b.metric
            and a.b_bases = b.bases
    where
        (a.submission_id, a.configuration_id) < (b.submission_id, b.configuration_id)
        and (a.submission_id = b.submission_id or (a.is_representative and b.is_representative))

),

final as (

    select * from named
    union all by name
    select
        *,
        0 as load_count,
        0 as pair_count
    from apart

)

select * from final
