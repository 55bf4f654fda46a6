with figures as (

    select * from {{ source('raw', 'figures') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

final as (

    select
        figures.*,
        -- without the base of its unit a rate compares with its neighbours in print only
        case
            when figures.unit_basis <> 'unknown' then null
            when starts_with(upper(figures.printed_unit), 'KB/') then 1e3 * figures.printed_value
            when starts_with(upper(figures.printed_unit), 'MB/') then 1e6 * figures.printed_value
            when starts_with(upper(figures.printed_unit), 'GB/') then 1e9 * figures.printed_value
        end as throughput_as_printed,
        case
            when figures.value_low > 0 then ln(figures.printed_value / figures.value_low)
            when figures.printed_value is not null then cast('infinity' as double)
        end as low_half,
        case
            when figures.value_high > 0 then ln(figures.value_high / figures.printed_value)
            when figures.printed_value is not null then cast('infinity' as double)
        end as high_half
    from figures
    inner join submissions on figures.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed')

)

select * from final
