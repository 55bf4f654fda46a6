with figures as (

    select * from {{ source('raw', 'figures') }}

),

final as (

    select
        submission_id,
        figure_id,
        -- without the base of its unit a rate compares with its neighbours in print only
        case
            when unit_basis <> 'unknown' then null
            when starts_with(upper(printed_unit), 'KB/') then 1e3 * printed_value
            when starts_with(upper(printed_unit), 'MB/') then 1e6 * printed_value
            when starts_with(upper(printed_unit), 'GB/') then 1e9 * printed_value
        end as throughput_as_printed,
        case
            when value_low > 0 then ln(printed_value / value_low)
            when printed_value is not null then cast('infinity' as double)
        end as low_half,
        case
            when value_high > 0 then ln(value_high / printed_value)
            when printed_value is not null then cast('infinity' as double)
        end as high_half
    from figures

)

select * from final
