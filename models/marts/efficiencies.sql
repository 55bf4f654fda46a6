with shares as (

    select * from {{ ref('int_drives_divided') }}

),

prices as (

    select * from {{ ref('int_prices_divided') }}

),

figures as (

    select * from {{ ref('int_figures_admitted') }}

),

printed as (

    select
        submission_id,
        figure_id,
        quantity,
        statistic,
        record_kind,
        device,
        -- two printed rates of a drive may differ in nothing but the operation
        coalesce(load_profile, nullif(concat_ws(', ', qualifier, operation), '')) as load_profile,
        printed_unit,
        printed_value,
        value_low as printed_least,
        value_high as printed_most,
        uncertainty_kind as printed_kind
    from figures
    where is_canonical

),

powers as (

    select
        *,
        -- a number for a series holds for each of its drives
        case when device like '% series' then concat(left(device, -length('series'))) end as series
    from printed
    where quantity = 'power' and statistic in ('maximum', 'mean') and printed_unit = 'W' and printed_value > 0

),

configurations as (

    select * from {{ ref('configurations') }}

),

-- rates of a configuration whose power was measured while it ran
consumed as (

    select
        shares.submission_id,
        shares.configuration_id,
        shares.section,
        shares.workload_id,
        shares.load_profile,
        shares.device_id,
        shares.device,
        shares.storage_topology,
        shares.drive_count,
        shares.metric,
        shares.basis,
        'watt' as per,
        [concat('mean power of all runs, measured of the ', configurations.power_measured)] as reasons,
        shares.rate_value as dividend_value,
        shares.rate_low as dividend_low,
        shares.rate_high as dividend_high,
        shares.rate_kind as dividend_kind,
        configurations.power_mean_watts as divisor_value,
        configurations.power_mean_watts as divisor_low,
        configurations.power_mean_watts as divisor_high,
        'none' as divisor_kind
    from shares
    inner join configurations
        on
            shares.submission_id = configurations.submission_id
            and shares.configuration_id = configurations.configuration_id
    where configurations.power_mean_watts > 0 and configurations.power_measured is not null

),

measured as (

    {% for per, divisor in [('drive', 'drive_count'), ('gigabyte', 'capacity_bytes / 1e9')] %}
        select
            submission_id,
            configuration_id,
            section,
            workload_id,
            load_profile,
            device_id,
            device,
            storage_topology,
            drive_count,
            metric,
            basis,
            '{{ per }}' as per,
            rate_value as dividend_value,
            rate_low as dividend_low,
            rate_high as dividend_high,
            rate_kind as dividend_kind,
            cast({{ divisor }} as double) as divisor_value,
            cast({{ divisor }} as double) as divisor_low,
            cast({{ divisor }} as double) as divisor_high,
            'none' as divisor_kind
        from shares
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

priced as (

    select
        prices.submission_id,
        prices.device,
        rates.load_profile,
        'operations_per_second' as metric,
        prices.rate_kind as basis,
        'price' as per,
        prices.currency,
        prices.price_date,
        prices.price_figure_id,
        prices.rate_figure_id,
        prices.reasons,
        prices.operations_per_second as dividend_value,
        rates.printed_least as dividend_low,
        rates.printed_most as dividend_high,
        rates.printed_kind as dividend_kind,
        prices.price_value as divisor_value,
        amounts.printed_least as divisor_low,
        amounts.printed_most as divisor_high,
        amounts.printed_kind as divisor_kind
    from prices
    inner join printed as rates
        on prices.submission_id = rates.submission_id and prices.rate_figure_id = rates.figure_id
    inner join printed as amounts
        on prices.submission_id = amounts.submission_id and prices.price_figure_id = amounts.figure_id

),

sized as (

    select distinct
        prices.submission_id,
        prices.device,
        'price' as metric,
        'price' as basis,
        'gigabyte' as per,
        prices.currency,
        prices.price_date,
        prices.price_figure_id,
        if(prices.price_date is null, ['date of the price unknown'], []) as reasons,
        prices.price_value as dividend_value,
        amounts.printed_least as dividend_low,
        amounts.printed_most as dividend_high,
        amounts.printed_kind as dividend_kind,
        prices.capacity_bytes / 1e9 as divisor_value,
        prices.capacity_bytes / 1e9 as divisor_low,
        prices.capacity_bytes / 1e9 as divisor_high,
        'none' as divisor_kind
    from prices
    inner join printed as amounts
        on prices.submission_id = amounts.submission_id and prices.price_figure_id = amounts.figure_id

),

powered as (

    select
        powers.submission_id,
        rates.device,
        rates.load_profile,
        'operations_per_second' as metric,
        rates.record_kind as basis,
        'watt' as per,
        powers.figure_id as power_figure_id,
        rates.figure_id as rate_figure_id,
        list_filter(
            [
                case when powers.record_kind = 'stated_spec' then 'power as specified, not measured' end,
                case when powers.series is not null then 'power stated for the series' end,
                case when rates.record_kind = 'stated_spec' then 'rate as specified, not measured' end
            ],
            lambda reason: reason is not null
        ) as reasons,
        rates.printed_value as dividend_value,
        rates.printed_least as dividend_low,
        rates.printed_most as dividend_high,
        rates.printed_kind as dividend_kind,
        powers.printed_value as divisor_value,
        powers.printed_least as divisor_low,
        powers.printed_most as divisor_high,
        powers.printed_kind as divisor_kind
    from powers
    inner join printed as rates
        on
            powers.submission_id = rates.submission_id
            and (powers.device = rates.device or starts_with(rates.device, powers.series))
    where
        rates.quantity = 'operations_per_second'
        and rates.record_kind in ('measured', 'stated_spec')
        and rates.printed_unit in ('IOPS', 'IO/s')
        and rates.printed_value > 0

),

combined as (

    select * from measured
    union all by name
    select * from priced
    union all by name
    select * from sized
    union all by name
    select * from powered
    union all by name
    select * from consumed

),

final as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        device_id,
        device,
        storage_topology,
        drive_count,
        metric,
        basis,
        per,
        dividend_value,
        divisor_value,
        dividend_value / divisor_value as value,
        dividend_low / divisor_high as value_low,
        dividend_high / divisor_low as value_high,
        coalesce(
            case
                when dividend_low / divisor_high is not null or dividend_high / divisor_low is not null
                    then array_to_string(
                        list_sort(list_distinct(list_filter(
                            string_split(concat(dividend_kind, '+', divisor_kind), '+'), lambda word: word <> 'none'
                        ))),
                        '+'
                    )
            end,
            'none'
        ) as value_interval_kind,
        currency,
        price_date,
        price_figure_id,
        power_figure_id,
        rate_figure_id,
        coalesce(reasons, []) as reasons
    from combined
    where divisor_value > 0

)

select * from final
