with figures as (

    select * from {{ ref('int_figures_admitted') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

printed as (

    select
        *,
        try_cast(regexp_extract(device, '([0-9.]+) (GB|TB)$', 1) as double)
        * case when device like '% TB' then 1000 else 1 end as capacity_gigabytes
    from figures
    where quantity = 'price' and is_canonical and printed_value > 0

),

rates as (

    select *
    from figures
    where
        quantity = 'operations_per_second'
        and is_canonical
        and record_kind in ('measured', 'stated_spec')
        and value_kind in ('measured', 'approximate', 'stated_spec')
        and printed_unit in ('IOPS', 'IO/s')
        and printed_value > 0

),

final as (

    select
        printed.submission_id,
        printed.figure_id as price_figure_id,
        coalesce(rates.figure_id, 'none') as rate_figure_id,
        printed.device,
        printed.printed_unit as currency,
        printed.printed_value as price_value,
        nullif(submissions.citation_date, 'unknown') as price_date,
        printed.capacity_gigabytes * 1e9 as capacity_bytes,
        printed.printed_value / printed.capacity_gigabytes as price_per_gigabyte_value,
        rates.record_kind as rate_kind,
        rates.printed_value as operations_per_second,
        printed.printed_value / (rates.printed_value / 1000) as price_per_thousand_operations_value,
        list_concat(
            if(coalesce(submissions.citation_date, 'unknown') = 'unknown', ['date of the price unknown'], []),
            if(rates.record_kind = 'stated_spec', ['rate as specified, not measured'], [])
        ) as reasons
    from printed
    inner join submissions on printed.submission_id = submissions.submission_id
    left join rates on printed.submission_id = rates.submission_id and printed.device = rates.device

)

select * from final
