with loads as (

    select * from {{ ref('int_loads_listed') }}

),

stated as (

    select * from {{ ref('int_factors_stated') }}

),

conditions as (

    select * from {{ ref('int_conditions_listed') }}
    where is_key and applies_to = 'all' and condition_name not in ('storage topology', 'drive count')

),

arrays as (

    select *
    from loads
    where storage_topology in ('independent', 'raid0', 'raid1', 'raid10') and drive_count > 1

),

bases as (

    select *
    from loads
    where storage_topology = 'single' and drive_count = 1

),

in_one_section as (

    select
        arrays,
        bases
    from arrays
    inner join bases
        on
            arrays.submission_id = bases.submission_id
            and arrays.section = bases.section
            and arrays.workload_id = bases.workload_id
            and arrays.metric = bases.metric
            and arrays.device_id = bases.device_id
    where
        arrays.queue_depth_per_drive = bases.queue_depth_per_drive
        or arrays.queue_depth = bases.queue_depth
        or (arrays.is_peak and bases.is_peak)

),

as_stated as (

    select
        arrays,
        bases
    from stated
    inner join arrays
        on
            stated.submission_id = arrays.submission_id
            and stated.array_configuration_id = arrays.configuration_id
            and stated.array_section = arrays.section
            and stated.workload_id = arrays.workload_id
            and stated.array_queue_depth is not distinct from arrays.queue_depth
    inner join bases
        on
            stated.submission_id = bases.submission_id
            and stated.base_configuration_id = bases.configuration_id
            and stated.base_section = bases.section
            and stated.workload_id = bases.workload_id
            and stated.base_queue_depth is not distinct from bases.queue_depth
    where arrays.metric = bases.metric and arrays.device_id = bases.device_id

),

pairs as (

    select * from in_one_section
    union
    select * from as_stated

),

flattened as (

    select
        arrays.submission_id,
        arrays.workload_id,
        arrays.load_profile,
        arrays.metric,
        arrays.storage_topology as topology,
        arrays.drive_count,
        arrays.device_id,
        {% for side in ['array', 'base'] %}
            {{ side }}s.configuration_id as {{ side }}_configuration_id,
            {{ side }}s.section as {{ side }}_section,
            {{ side }}s.load_value as {{ side }}_value,
            {{ side }}s.is_peak as {{ side }}_is_peak,
            {{ side }}s.queue_depth as {{ side }}_queue_depth,
            {{ side }}s.queue_depth_per_drive as {{ side }}_queue_depth_per_drive,
            {{ side }}s.process_count as {{ side }}_process_count,
            {{ side }}s.value_kind as {{ side }}_value_kind,
        {% endfor %}
        arrays.device
    from pairs

),

compared as (

    select distinct
        submission_id,
        array_configuration_id,
        base_configuration_id
    from flattened

),

-- each side is joined on its own, because joining the sides to each other first would pair everything with everything
of_arrays as materialized (

    select
        compared.*,
        conditions.condition_name,
        conditions.condition_value
    from compared
    inner join conditions
        on
            compared.submission_id = conditions.submission_id
            and compared.array_configuration_id = conditions.configuration_id

),

differing as (

    select
        of_arrays.submission_id,
        of_arrays.array_configuration_id,
        of_arrays.base_configuration_id,
        string_agg(concat(of_arrays.condition_name, ' differs'), '; ' order by of_arrays.condition_name) as differences
    from of_arrays
    inner join conditions
        on
            of_arrays.submission_id = conditions.submission_id
            and of_arrays.base_configuration_id = conditions.configuration_id
            and of_arrays.condition_name = conditions.condition_name
    where of_arrays.condition_value <> conditions.condition_value
    group by of_arrays.submission_id, of_arrays.array_configuration_id, of_arrays.base_configuration_id

),

final as (

    select
        flattened.*,
        differing.differences,
        stated.claim_id,
        stated.stated_factor_ratio,
        stated.stated_factor_text,
        row_number() over (
            partition by
                flattened.submission_id,
                flattened.workload_id,
                flattened.metric,
                flattened.array_configuration_id,
                flattened.array_section,
                flattened.array_queue_depth,
                flattened.base_configuration_id,
                flattened.base_section,
                flattened.base_queue_depth
            order by stated.claim_id
        ) as claim_index
    from flattened
    left join stated
        on
            flattened.submission_id = stated.submission_id
            and flattened.workload_id = stated.workload_id
            and flattened.array_configuration_id = stated.array_configuration_id
            and flattened.array_section = stated.array_section
            and flattened.array_queue_depth is not distinct from stated.array_queue_depth
            and flattened.base_configuration_id = stated.base_configuration_id
            and flattened.base_section = stated.base_section
            and flattened.base_queue_depth is not distinct from stated.base_queue_depth
    left join differing
        on
            flattened.submission_id = differing.submission_id
            and flattened.array_configuration_id = differing.array_configuration_id
            and flattened.base_configuration_id = differing.base_configuration_id
    where differing.differences is null or stated.claim_id is not null
    qualify claim_index = 1

)

select * from final
