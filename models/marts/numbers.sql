with sweeps as (

    select * from {{ ref('sweeps') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

selected as (

    select * from {{ ref('int_repetitions_selected') }}

),

peaks as (

    select * from {{ ref('int_peaks_converted') }}

),

stated_peaks as (

    select * from {{ ref('int_peaks_stated') }}

),

efficiencies as (

    select * from {{ ref('drive_efficiencies') }}

),

factors as (

    select * from {{ ref('scaling_factors') }}

),

-- repetitions that are of no load step: peaks, means and bounds that a source states
alone as (

    select repetitions.*
    from repetitions
    anti join selected on repetitions.repetition_id = selected.repetition_id

),

placed as (

    select
        'median' as number_kind,
        concat_ws(
            ' ', 'median', submission_id, configuration_id, section, load_profile_id, load_basis, queue_depth
        ) as place,
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        load_profile,
        load_basis,
        queue_depth,
        cast(null as varchar) as repetition_id,
        value_kind,
        operations_per_second,
        operations_origin,
        throughput_bytes_per_second,
        throughput_origin,
        latency_mean_seconds
    from sweeps
    union all
    select
        'stated' as number_kind,
        concat_ws(' ', 'stated', repetition_id) as place,
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        load_profile,
        load_basis,
        queue_depth,
        repetition_id,
        value_kind,
        operations_per_second,
        operations_origin,
        throughput_bytes_per_second,
        throughput_origin,
        latency_mean_seconds
    from alone

),

read as (

    select
        * exclude (
            place,
            operations_per_second,
            operations_origin,
            throughput_bytes_per_second,
            throughput_origin,
            latency_mean_seconds
        ),
        left(md5(place), 16) as place_id,
        unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
        unnest([operations_per_second, throughput_bytes_per_second, latency_mean_seconds]) as number_value,
        unnest([operations_origin, throughput_origin, 'measured']) as number_origin
    from placed

),

-- where a peak stands: at the depth that reaches it, or in the point that states it
peaked as (

    select
        'peak' as number_kind,
        left(
            md5(
                concat_ws(
                    ' ',
                    'peak',
                    peaks.submission_id,
                    peaks.configuration_id,
                    peaks.section,
                    peaks.load_profile_id
                )
            ),
            16
        ) as place_id,
        peaks.submission_id,
        peaks.configuration_id,
        peaks.section,
        peaks.load_profile_id,
        peaks.load_profile,
        peaks.metric,
        peaks.peak_value as number_value,
        peaks.rate_origin as number_origin,
        peaks.value_kind,
        peaks.queue_depth,
        peaks.queue_depths,
        peaks.block_size_bytes,
        concat(read.place_id, '-', read.metric) as a_number_id
    from peaks
    left join stated_peaks
        on
            peaks.peak_origin = 'stated'
            and peaks.submission_id = stated_peaks.submission_id
            and peaks.configuration_id = stated_peaks.configuration_id
            and peaks.section = stated_peaks.section
            and peaks.load_profile_id = stated_peaks.load_profile_id
            and peaks.measured_metric = stated_peaks.metric
    inner join read
        on
            peaks.submission_id = read.submission_id
            and peaks.configuration_id = read.configuration_id
            and peaks.section = read.section
            and peaks.load_profile_id = read.load_profile_id
            and peaks.measured_metric = read.metric
            and case
                when peaks.peak_origin = 'stated' then stated_peaks.repetition_id = read.repetition_id
                else
                    read.number_kind = 'median'
                    and read.load_basis = 'outstanding'
                    and peaks.queue_depth = read.queue_depth
            end

),

-- the rates that are divided by drives and capacity: peaks, and means that a source states without a depth
means as (

    select *
    from alone
    where
        is_comparable
        and statistic = 'mean'
        and queue_depth is null
        and load_profile_id is not null
        and operations_per_second is not null
    qualify row_number() over (
        partition by submission_id, configuration_id, section, load_profile_id
        order by operations_per_second desc, repetition_id asc
    ) = 1

),

divided as (

    select
        'peak' as basis,
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        load_profile,
        metric,
        number_value,
        number_origin,
        value_kind,
        concat(place_id, '-', metric) as a_number_id
    from peaked
    union all
    select
        'mean' as basis,
        read.submission_id,
        read.configuration_id,
        read.section,
        read.load_profile_id,
        read.load_profile,
        read.metric,
        read.number_value,
        read.number_origin,
        read.value_kind,
        concat(read.place_id, '-', read.metric) as a_number_id
    from read
    inner join means on read.repetition_id = means.repetition_id
    where read.metric <> 'latency_mean_seconds'

),

parted as (

    select distinct
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        basis,
        drive_count,
        capacity_bytes
    from efficiencies

),

shared as (

    select
        unnest(['per_drive', 'per_gigabyte']) as number_kind,
        left(
            md5(
                concat_ws(
                    ' ',
                    'share',
                    divided.submission_id,
                    divided.configuration_id,
                    divided.section,
                    divided.load_profile_id,
                    divided.basis
                )
            ),
            16
        ) as place_id,
        divided.submission_id,
        divided.configuration_id,
        divided.section,
        divided.load_profile_id,
        divided.load_profile,
        unnest([concat(divided.metric, '_per_drive'), concat(divided.metric, '_per_gigabyte')]) as metric,
        unnest([
            divided.number_value / parted.drive_count, divided.number_value / (parted.capacity_bytes / 1e9)
        ]) as number_value,
        divided.number_origin,
        divided.value_kind,
        divided.basis,
        unnest([parted.drive_count, null]) as drive_count,
        unnest([null, parted.capacity_bytes]) as capacity_bytes,
        divided.a_number_id
    from divided
    inner join parted
        on
            divided.submission_id = parted.submission_id
            and divided.configuration_id = parted.configuration_id
            and divided.section = parted.section
            and divided.load_profile_id = parted.load_profile_id
            and divided.basis = parted.basis

),

-- either side of a scaling factor: a load step, or the peak where the factor has no depth
sides as (

    select
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        metric,
        queue_depth,
        concat(place_id, '-', metric) as number_id
    from read
    where number_kind = 'median' and load_basis = 'outstanding'
    union all
    select
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        metric,
        cast(null as bigint) as queue_depth,
        concat(place_id, '-', metric) as number_id
    from peaked

),

quotients as (

    select
        'quotient' as number_kind,
        left(md5(concat_ws(' ', 'quotient', arrays.number_id, bases.number_id)), 16) as place_id,
        factors.submission_id,
        factors.array_configuration_id as configuration_id,
        factors.array_section as section,
        factors.load_profile_id,
        factors.load_profile,
        concat(factors.metric, '_ratio') as metric,
        factors.factor_ratio as number_value,
        'measured' as number_origin,
        'measured' as value_kind,
        factors.queue_depth,
        factors.basis,
        arrays.number_id as a_number_id,
        bases.number_id as b_number_id
    from factors
    inner join sides as arrays
        on
            factors.submission_id = arrays.submission_id
            and factors.array_configuration_id = arrays.configuration_id
            and factors.array_section = arrays.section
            and factors.load_profile_id = arrays.load_profile_id
            and factors.metric = arrays.metric
            and factors.queue_depth is not distinct from arrays.queue_depth
    inner join sides as bases
        on
            factors.submission_id = bases.submission_id
            and factors.base_configuration_id = bases.configuration_id
            and factors.base_section = bases.section
            and factors.load_profile_id = bases.load_profile_id
            and factors.metric = bases.metric
            and factors.base_queue_depth is not distinct from bases.queue_depth

),

combined as (

    select * from read
    union all by name
    select * from peaked
    union all by name
    select * from shared
    union all by name
    select * from quotients

),

final as (

    select
        concat(place_id, '-', metric) as number_id,
        *
    from combined
    where number_value is not null

)

select * from final
