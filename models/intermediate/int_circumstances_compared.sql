with pairs as (

    select * from {{ ref('int_circumstances_paired') }}

),

configurations as (

    select * from {{ ref('int_configurations_compared') }}

),

from_configurations as (

    select
        pairs.a_circumstances_id,
        pairs.b_circumstances_id,
        case
            when
                case configurations.applies_to
                    when 'writes' then pairs.has_writes
                    when 'reads' then pairs.has_reads
                    when 'processor' then pairs.is_processor_relevant
                    else true
                end
                then configurations.verdict
            when configurations.verdict in ('differs', 'unknown') then 'waived'
        end as verdict,
        configurations.reason
    from pairs
    inner join configurations
        on
            pairs.a_submission_id = configurations.a_submission_id
            and pairs.a_configuration_id = configurations.a_configuration_id
            and pairs.b_submission_id = configurations.b_submission_id
            and pairs.b_configuration_id = configurations.b_configuration_id

),

from_circumstances as (

    select
        a_circumstances_id,
        b_circumstances_id,
        unnest([
            case
                when a_process_count is null or b_process_count is null
                    then { 'verdict': 'unknown', 'reason': 'process count unknown' }
                when a_process_count <> b_process_count
                    then { 'verdict': 'differs', 'reason': 'process count differs' }
            end,
            case when a_load_basis <> b_load_basis then { 'verdict': 'differs', 'reason': 'load basis differs' } end,
            case
                when not is_latency then null
                when a_latency_kind is null or b_latency_kind is null
                    then { 'verdict': 'unknown', 'reason': 'kind of latency unknown' }
                when a_latency_kind <> b_latency_kind
                    then { 'verdict': 'differs', 'reason': 'kind of latency differs' }
            end,
            case when is_profile_incomplete then { 'verdict': 'unknown', 'reason': 'load profile incomplete' } end,
            case
                when 'unknown' in (a_searched_depths, b_searched_depths)
                    then { 'verdict': 'unknown', 'reason': 'searched queue depths unknown' }
                when a_searched_depths <> b_searched_depths
                    then { 'verdict': 'reservation', 'reason': 'searched queue depths differ' }
            end,
            case
                when a_is_peak_at_edge or b_is_peak_at_edge
                    then { 'verdict': 'reservation', 'reason': 'peak at the largest queue depth measured' }
            end,
            case
                when a_is_approximate or b_is_approximate
                    then { 'verdict': 'reservation', 'reason': 'approximate figure' }
            end,
            case
                when a_source_type <> 'raw_tool_output' or b_source_type <> 'raw_tool_output'
                    then { 'verdict': 'reservation', 'reason': 'figure of a publication' }
            end,
            case
                when not coalesce(a_is_repeated and b_is_repeated, false)
                    then { 'verdict': 'reservation', 'reason': 'fewer than three repetitions' }
            end
        ]) as verdict_of_pair
    from pairs

),

final as (

    select
        a_circumstances_id,
        b_circumstances_id,
        verdict,
        reason
    from from_configurations
    where verdict is not null
    union all
    select
        a_circumstances_id,
        b_circumstances_id,
        verdict_of_pair.verdict,
        verdict_of_pair.reason
    from from_circumstances
    where verdict_of_pair is not null

)

select * from final
