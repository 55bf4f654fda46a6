with peaks as (

    select * from {{ ref('peaks') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

figures as (

    select * from {{ ref('int_figures_admitted') }}

),

means as (

    select *
    from repetitions
    where
        is_comparable
        and statistic = 'mean'
        and queue_depth is null
        and workload_id is not null
        and operations_per_second is not null
    qualify
        row_number() over (
            partition by submission_id, configuration_id, section, workload_id
            order by operations_per_second desc, repetition_id asc
        ) = 1

),

rates as (

    select
        submission_id,
        configuration_id,
        section,
        workload_id,
        load_profile,
        metric,
        'peak' as basis,
        peak_value as rate_value,
        peak_value_low as rate_low,
        peak_value_high as rate_high,
        peak_value_interval_kind as rate_kind
    from peaks
    where load_basis = 'outstanding' and (peak_origin = 'stated' or depth_count >= 3)
    union all
    select
        means.submission_id,
        means.configuration_id,
        means.section,
        means.workload_id,
        means.load_profile,
        'operations_per_second' as metric,
        'mean' as basis,
        means.operations_per_second as rate_value,
        means.operations_per_second * (figures.value_low / figures.printed_value) as rate_low,
        means.operations_per_second * (figures.value_high / figures.printed_value) as rate_high,
        coalesce(figures.uncertainty_kind, 'none') as rate_kind
    from means
    left join figures on means.submission_id = figures.submission_id and means.figure_id = figures.figure_id

),

final as (

    select
        rates.*,
        configurations.device_id,
        configurations.device,
        configurations.storage_topology,
        configurations.drive_count,
        cast(configurations.data_capacity_bytes as bigint) as capacity_bytes,
        rates.rate_value / configurations.drive_count as rate_per_drive_value,
        rates.rate_value / (configurations.data_capacity_bytes / 1e9) as rate_per_gigabyte_value
    from rates
    inner join configurations
        on
            rates.submission_id = configurations.submission_id
            and rates.configuration_id = configurations.configuration_id
    where configurations.drive_count > 0

)

select * from final
