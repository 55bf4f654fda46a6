-- Price per IOPS: every printed price, in its currency and at its date, with the IOPS that the same source prints for the
-- device, measured or specified.
with sized as (
    select * from efficiencies where metric = 'price' and per = 'gigabyte'
),

rated as (
    select * from efficiencies where metric = 'operations_per_second' and per = 'price'
),

prices as (
    select
        submission_id, price_figure_id, coalesce(rated.device, sized.device) as device,
        coalesce(rated.device_id, sized.device_id) as device_id,
        coalesce(rated.currency, sized.currency) as currency, coalesce(rated.price_date, sized.price_date) as price_date,
        coalesce(rated.divisor_value, sized.dividend_value) as price_value, sized.divisor_value * 1e9 as capacity_bytes,
        sized.value as price_per_gigabyte_value, rated.basis as rate_kind, rated.rate_figure_id, rated.load_profile,
        rated.dividend_value as operations_per_second, 1000 / rated.value as price_per_thousand_operations_value,
        coalesce(rated.reasons, sized.reasons) as reasons
    from sized
    full join rated using (submission_id, price_figure_id)
)

select
    prices.submission_id, submissions.title, prices.device, prices.device_id, prices.currency, prices.price_value,
    prices.price_date, prices.capacity_bytes, prices.price_per_gigabyte_value, prices.rate_kind, rates.qualifier,
    rates.operation, prices.load_profile, prices.operations_per_second, prices.price_per_thousand_operations_value,
    prices.reasons, prices.price_figure_id, prices.rate_figure_id, figures.source_pointer
from prices
inner join submissions using (submission_id)
inner join figures
    on prices.submission_id = figures.submission_id and prices.price_figure_id = figures.figure_id
    and figures.is_canonical
left join figures as rates
    on prices.submission_id = rates.submission_id and prices.rate_figure_id = rates.figure_id and rates.is_canonical
order by prices.currency, prices.price_date, prices.submission_id, prices.capacity_bytes, prices.device, prices.rate_figure_id
