{# null is unknown in these; in all other members it says that there is none #}
{% set members = ['access_pattern', 'read_ratio', 'block_size_min_bytes', 'block_size_max_bytes'] %}

with workloads as (

    select * from {{ ref('workloads') }}

),

final as (

    select
        a.workload_id as a_workload_id,
        b.workload_id as b_workload_id,
        a.is_complete as a_is_complete,
        b.is_complete as b_is_complete
    from workloads as a
    inner join workloads as b
        on
            a.workload_id <> b.workload_id
            {% for member in members %}
                and coalesce(a.{{ member }} = b.{{ member }}, true)
            {% endfor %}
            and a.load_options is not distinct from b.load_options
            and a.block_split is not distinct from b.block_split
            and a.stream_count is not distinct from b.stream_count
    where not (a.is_complete and b.is_complete)

)

select * from final
