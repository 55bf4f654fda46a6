with stepped as (
    select
        peak_id,
        list(
            {id: point_id, depth: points.queue_depth, value: if(
                metric = 'operations_per_second', operations_per_second, throughput_bytes_per_second
            )} order by points.queue_depth
        ) as steps
    from peaks
    inner join points using (submission_id, configuration_id, section, workload_id, load_basis)
    group by peak_id
),

printed as (
    select peak_id, list({id: result_id, text: printed_text, unit: printed_unit} order by result_id) as results
    from peaks
    inner join results using (submission_id, configuration_id, section, workload_id)
    where peak_origin = 'stated' and statistic = 'peak'
    group by peak_id
),

shared as (
    select
        peak_id,
        list(
            {per: per, value: value, divisor: divisor_value, currency: currency, date: price_date} order by per
        ) as shares
    from peaks
    inner join efficiencies using (submission_id, configuration_id, section, workload_id, metric)
    where basis = 'peak'
    group by peak_id
)

select
    peak_id as id,
    -- under the keys that the JSON of numbers has
    peaks.* exclude (peak_id, device, media_class, storage_topology, device_id, low_half, high_half) rename (
        peak_value_low as low,
        peak_value_high as high,
        peak_value_interval_kind as kind,
        independent_run_count as n
    ),
    steps, results, quotients, quotient_count, shares, factors, factor_count
from peaks
left join stepped using (peak_id)
left join printed using (peak_id)
left join pairs_of_operands on peak_id = point_id
left join shared using (peak_id)
left join factors_by_operand on peak_id = operand_id
order by peak_id
