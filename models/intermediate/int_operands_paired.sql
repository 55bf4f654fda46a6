{{ config(materialized='table') }}

with operands as (

    select * from {{ ref('int_operands_represented') }}

),

same_submission as (

    select
        a,
        b
    from operands as a
    inner join operands as b
        on
            a.load_profile_id = b.load_profile_id
            and a.metric = b.metric
            and a.basis = b.basis
            and a.submission_id = b.submission_id
            and a.section = b.section
    where a.configuration_id <> b.configuration_id

),

representatives as (

    select
        a,
        b
    from operands as a
    inner join operands as b
        on
            a.load_profile_id = b.load_profile_id
            and a.metric = b.metric
            and a.basis = b.basis
            and a.submission_id <> b.submission_id
            and a.compared_id <> b.compared_id
    where a.is_representative and b.is_representative

),

same_device as (

    select
        a,
        b
    from operands as a
    inner join operands as b
        on
            a.load_profile_id = b.load_profile_id
            and a.metric = b.metric
            and a.basis = b.basis
            and a.compared_id = b.compared_id
            and a.submission_id <> b.submission_id
    where a.is_representative or b.is_representative

),

pairs as (

    select * from same_submission
    union all
    select * from representatives
    union all
    select * from same_device

),

final as (

    select
        a.load_profile_id,
        a.load_profile,
        a.metric,
        a.basis,
        {% for side in ['a', 'b'] %}
            {{ side }}.submission_id as {{ side }}_submission_id,
            {{ side }}.configuration_id as {{ side }}_configuration_id,
            {{ side }}.section as {{ side }}_section,
            {{ side }}.device_id as {{ side }}_device_id,
            {{ side }}.device as {{ side }}_device,
            {{ side }}.media_class as {{ side }}_media_class,
            {{ side }}.conditions as {{ side }}_conditions,
            {{ side }}.source_type as {{ side }}_source_type,
            {{ side }}.operand_value as {{ side }}_value,
            {{ side }}.queue_depth as {{ side }}_queue_depth,
            {{ side }}.searched_depths as {{ side }}_searched_depths,
            {{ side }}.is_peak_at_edge as {{ side }}_is_peak_at_edge,
            {{ side }}.repetition_count as {{ side }}_repetition_count,
            {{ side }}.process_count as {{ side }}_process_count,
            {{ side }}.load_basis as {{ side }}_load_basis,
            {{ side }}.latency_kind as {{ side }}_latency_kind,
            {{ side }}.value_kind as {{ side }}_value_kind,
        {% endfor %}
        cast(hash(row(
            a.load_profile_id, a.metric, a.submission_id, a.configuration_id, b.submission_id, b.configuration_id,
            greatest(a.operand_value, b.operand_value) > 120000, a.process_count, b.process_count, a.load_basis,
            b.load_basis, a.latency_kind, b.latency_kind, a.searched_depths, b.searched_depths, a.is_peak_at_edge,
            b.is_peak_at_edge, a.value_kind, b.value_kind, least(a.repetition_count, b.repetition_count) >= 3
        )) as varchar) as circumstances_id
    from pairs

)

select * from final
