-- IOPS per watt, gigabyte and price: IOPS per watt, gigabyte and price, with interval and caveats.
select per, device, load_profile, basis, value, value_low, value_high, value_interval_kind, currency, price_date, reasons, submission_id,
    configuration_id
from efficiencies
where metric = 'operations_per_second' and per in ('watt', 'gigabyte', 'price')
order by per, currency, value desc, submission_id, configuration_id, section, workload_id, rate_figure_id
