{{ config(materialized='table') }}

with pairs as (

    select distinct
        a_circumstances_id,
        b_circumstances_id
    from {{ ref('int_operands_paired') }}

),

circumstances as (

    select distinct
        circumstances_id,
        submission_id,
        configuration_id,
        source_type,
        has_writes,
        has_reads,
        is_processor_relevant,
        is_profile_incomplete,
        is_latency,
        latency_kind,
        process_count,
        load_basis,
        searched_depths,
        is_peak_at_edge,
        is_approximate,
        is_repeated
    from {{ ref('int_operands_represented') }}

),

final as (

    select
        pairs.*,
        {% for side in ['a', 'b'] %}
            {{ side }}.submission_id as {{ side }}_submission_id,
            {{ side }}.configuration_id as {{ side }}_configuration_id,
            {{ side }}.source_type as {{ side }}_source_type,
            {{ side }}.latency_kind as {{ side }}_latency_kind,
            {{ side }}.process_count as {{ side }}_process_count,
            {{ side }}.load_basis as {{ side }}_load_basis,
            {{ side }}.searched_depths as {{ side }}_searched_depths,
            {{ side }}.is_peak_at_edge as {{ side }}_is_peak_at_edge,
            {{ side }}.is_approximate as {{ side }}_is_approximate,
            {{ side }}.is_repeated as {{ side }}_is_repeated,
        {% endfor %}
        a.has_writes,
        a.has_reads,
        a.is_processor_relevant or b.is_processor_relevant as is_processor_relevant,
        a.is_profile_incomplete,
        a.is_latency
    from pairs
    inner join circumstances as a on pairs.a_circumstances_id = a.circumstances_id
    inner join circumstances as b on pairs.b_circumstances_id = b.circumstances_id

)

select * from final
