-- Price per IOPS: every printed price, in its currency and at its date, with the IOPS that the same source prints for the
-- device, measured or specified.
with prices as (
    select
        submission_id, price_figure_id, coalesce(rated.device, sized.device) as device,
        coalesce(rated.device_id, sized.device_id) as device_id,
        coalesce(rated.currency, sized.currency) as currency, coalesce(rated.price_date, sized.price_date) as price_date,
        coalesce(rated.divisor_value, sized.dividend_value) as price_value, sized.divisor_value * 1e9 as capacity_bytes,
        sized.value as price_per_gigabyte_value, rated.basis as rate_kind, rated.rate_figure_id, rated.load_profile,
        rated.dividend_value as operations_per_second, 1000 / rated.value as price_per_thousand_operations_value,
        coalesce(rated.reasons, sized.reasons) as reasons
    from (from efficiencies where metric = 'price' and per = 'gigabyte') as sized
    full join (from efficiencies where metric = 'operations_per_second' and per = 'price') as rated
        using (submission_id, price_figure_id)
)

select
    prices.* exclude (price_figure_id, rate_figure_id), submissions.title, rates.qualifier, rates.operation, figures.source_pointer
from prices
inner join submissions using (submission_id)
inner join (from figures where is_canonical) as figures
    on (prices.submission_id, price_figure_id) = (figures.submission_id, figures.figure_id)
left join (from figures where is_canonical) as rates
    on (prices.submission_id, rate_figure_id) = (rates.submission_id, rates.figure_id)
order by prices.currency, prices.price_date, submission_id, prices.capacity_bytes, prices.device, rate_figure_id
