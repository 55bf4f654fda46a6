with pairs as (

    select distinct on (circumstances_id) * from {{ ref('int_operands_paired') }}

),

configurations as (

    select * from {{ ref('int_configurations_compared') }}

),

load_profiles as (

    select * from {{ ref('load_profiles') }}

),

profiled as (

    select
        pairs.*,
        coalesce(load_profiles.read_ratio < 1, true) as has_writes,
        coalesce(load_profiles.read_ratio > 0, true) as has_reads,
        pairs.metric = 'operations_per_second'
        and coalesce(load_profiles.block_size_bytes <= 8192, true)
        and greatest(pairs.a_value, pairs.b_value) > 120000 as is_processor_relevant,
        load_profiles.access_pattern is null
        or load_profiles.read_ratio is null
        or load_profiles.block_size_bytes is null as is_profile_incomplete
    from pairs
    inner join load_profiles on pairs.load_profile_id = load_profiles.load_profile_id

),

from_configurations as (

    select
        profiled.circumstances_id,
        configurations.verdict,
        configurations.reason
    from profiled
    inner join configurations
        on
            profiled.a_submission_id = configurations.a_submission_id
            and profiled.a_configuration_id = configurations.a_configuration_id
            and profiled.b_submission_id = configurations.b_submission_id
            and profiled.b_configuration_id = configurations.b_configuration_id
    where
        case configurations.applies_to
            when 'writes' then profiled.has_writes
            when 'reads' then profiled.has_reads
            when 'processor' then profiled.is_processor_relevant
            else true
        end

),

from_operands as (

    select
        circumstances_id,
        unnest([
            case
                when a_process_count is null or b_process_count is null
                    then { 'verdict': 'unknown', 'reason': 'process count unknown' }
                when a_process_count <> b_process_count
                    then { 'verdict': 'differs', 'reason': 'process count differs' }
            end,
            case when a_load_basis <> b_load_basis then { 'verdict': 'differs', 'reason': 'load basis differs' } end,
            case
                when metric <> 'latency_mean_seconds' then null
                when a_latency_kind is null or b_latency_kind is null
                    then { 'verdict': 'unknown', 'reason': 'kind of latency unknown' }
                when a_latency_kind <> b_latency_kind
                    then { 'verdict': 'differs', 'reason': 'kind of latency differs' }
            end,
            case when is_profile_incomplete then { 'verdict': 'unknown', 'reason': 'load profile incomplete' } end,
            case
                when a_searched_depths <> b_searched_depths
                    then { 'verdict': 'reservation', 'reason': 'searched queue depths differ' }
            end,
            case
                when a_is_peak_at_edge or b_is_peak_at_edge
                    then { 'verdict': 'reservation', 'reason': 'peak at the largest queue depth measured' }
            end,
            case
                when a_value_kind = 'approximate' or b_value_kind = 'approximate'
                    then { 'verdict': 'reservation', 'reason': 'approximate figure' }
            end,
            case
                when a_source_type <> 'raw_tool_output' or b_source_type <> 'raw_tool_output'
                    then { 'verdict': 'reservation', 'reason': 'figure of a publication' }
            end,
            case
                when coalesce(least(a_repetition_count, b_repetition_count), 0) < 3
                    then { 'verdict': 'reservation', 'reason': 'fewer than three repetitions' }
            end
        ]) as verdict_of_operand
    from profiled

),

final as (

    select
        circumstances_id,
        verdict,
        reason
    from from_configurations
    union all
    select
        circumstances_id,
        verdict_of_operand.verdict,
        verdict_of_operand.reason
    from from_operands
    where verdict_of_operand is not null

)

select * from final
