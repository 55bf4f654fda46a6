with figures as (

    select * from {{ ref('int_figures_admitted') }}

),

final as (

    select
        submission_id,
        figure_id,
        configuration_id,
        device,
        load_profile,
        section,
        printed_text,
        printed_value / 100 as gain_share_ratio,
        (100 + printed_value) / 100 as gain_ratio
    from figures
    where record_kind = 'ratio' and printed_unit = '%' and printed_value is not null

)

select * from final
