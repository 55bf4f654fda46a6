with stepped as (
    select
        peaks.peak_id,
        list(
            {
                id: points.point_id, depth: points.queue_depth, runs: points.run_count,
                value: case peaks.metric
                    when 'operations_per_second' then points.operations_per_second
                    else points.throughput_bytes_per_second
                end
            } order by points.queue_depth
        ) as steps
    from peaks
    inner join points
        on
            peaks.submission_id = points.submission_id
            and peaks.configuration_id = points.configuration_id
            and peaks.section = points.section
            and peaks.workload_id = points.workload_id
            and peaks.load_basis = points.load_basis
    group by peaks.peak_id
),

printed as (
    select
        peaks.peak_id,
        list(
            {
                id: results.result_id, text: results.printed_text, unit: results.printed_unit,
                file: results.source_path, 'at': results.source_pointer
            } order by results.result_id
        ) as results
    from peaks
    inner join results
        on
            peaks.submission_id = results.submission_id
            and peaks.configuration_id = results.configuration_id
            and peaks.section = results.section
            and peaks.workload_id = results.workload_id
            and results.statistic = 'peak'
    where peaks.peak_origin = 'stated'
    group by peaks.peak_id
),

divided as (
    select
        peaks.peak_id,
        pairs.quotients,
        pairs.quotient_count
    from peaks
    inner join pairs_of_operands as pairs on peaks.peak_id = pairs.point_id
),

shared as (
    select
        peaks.peak_id,
        list(
            {
                per: efficiencies.per, value: efficiencies.value, divisor: efficiencies.divisor_value,
                currency: efficiencies.currency, date: efficiencies.price_date,
                why: if(efficiencies.per = 'watt', array_to_string(efficiencies.reasons, '; '), null)
            } order by efficiencies.per
        ) as shares
    from peaks
    inner join efficiencies
        on
            peaks.submission_id = efficiencies.submission_id
            and peaks.configuration_id = efficiencies.configuration_id
            and peaks.section = efficiencies.section
            and peaks.workload_id = efficiencies.workload_id
            and peaks.metric = efficiencies.metric
    where efficiencies.basis = 'peak'
    group by peaks.peak_id
)

select
    peaks.peak_id as id,
    -- under the keys that the JSON of numbers has
    peaks.* exclude (peak_id, device, media_class, storage_topology, device_id, tool, tool_version,
        low_half, high_half) rename (
        peak_value_low as low,
        peak_value_high as high,
        peak_value_interval_kind as kind,
        independent_run_count as n
    ),
    stepped.steps,
    printed.results,
    divided.quotients,
    divided.quotient_count,
    shared.shares,
    factors_by_operand.factors,
    factors_by_operand.factor_count
from peaks
left join stepped on peaks.peak_id = stepped.peak_id
left join printed on peaks.peak_id = printed.peak_id
left join divided on peaks.peak_id = divided.peak_id
left join shared on peaks.peak_id = shared.peak_id
left join factors_by_operand on peaks.peak_id = factors_by_operand.operand_id
order by peaks.peak_id
