with peaks as (

    select * from {{ ref('peaks') }}
    where load_basis = 'outstanding'

),

workloads as (

    select * from {{ ref('workloads') }}

),

derived as (

    select
        peaks.* replace (
            case peaks.metric
                when 'operations_per_second' then 'throughput_bytes_per_second' else 'operations_per_second'
            end as metric,
            {% for column in ['peak_value', 'low', 'high', 'plateau_value', 'highest_value'] %}
                case peaks.metric
                    when 'operations_per_second' then peaks.{{ column }} * workloads.block_size_bytes
                    else peaks.{{ column }} / workloads.block_size_bytes
                end as {{ column }}{{ ',' if not loop.last }}
            {% endfor %}
        ),
        peaks.metric as measured_metric,
        workloads.block_size_bytes
    from peaks
    inner join workloads on peaks.workload_id = workloads.workload_id
    where workloads.block_size_bytes is not null

),

final as (

    select
        *,
        metric as measured_metric,
        cast(null as bigint) as block_size_bytes,
        'measured' as rate_origin
    from peaks
    union all by name
    select
        derived.*,
        'derived' as rate_origin
    from derived
    anti join peaks
        on
            derived.submission_id = peaks.submission_id
            and derived.configuration_id = peaks.configuration_id
            and derived.section = peaks.section
            and derived.workload_id = peaks.workload_id
            and derived.metric = peaks.metric

)

select * from final
