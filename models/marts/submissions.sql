with submissions as (

    select * from {{ source('raw', 'submissions') }}

),

configurations as (

    select * from {{ source('raw', 'configurations') }}

),

drives as (

    select * from {{ ref('int_device_labels') }}

),

results as (

    select * from {{ ref('int_results_loaded') }}

),

workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

figures as (

    select * from {{ source('raw', 'figures') }}

),

claims as (

    select * from {{ source('raw', 'claims') }}

),

contradictions as (

    select * from {{ source('raw', 'contradictions') }}

),

files as (

    select * from {{ source('raw', 'files') }}

),

findings as (

    select * from {{ source('raw', 'findings') }}

),

configured as (

    select
        submission_id,
        count(*) as configuration_count,
        sum(known_field_count) / sum(required_field_count) as completeness_ratio
    from configurations
    group by submission_id

),

equipped as (

    select
        submission_id,
        count(distinct device_id) as device_count,
        list(distinct device order by device) filter (where device is not null) as devices,
        list(distinct media_class order by media_class) filter (where media_class is not null) as media_classes
    from drives
    where role = 'data'
    group by submission_id

),

measured as (

    select
        results.submission_id,
        count(*) as result_count,
        list(distinct workloads.load_profile order by workloads.load_profile)
        filter (where workloads.load_profile is not null) as load_profiles,
        list(distinct results.tool order by results.tool) filter (where results.tool is not null) as tools
    from results
    left join workloads on results.workload_id = workloads.workload_id
    group by results.submission_id

),

filed as (

    select
        submission_id,
        count(*) as source_count,
        list(distinct tool order by tool) filter (where tool is not null) as tools
    from files
    where document_index is null
    group by submission_id

),

counted as (

    {% for name in ['figure', 'claim', 'contradiction', 'finding'] %}
        select
            submission_id,
            '{{ name }}' as thing,
            count(*) as thing_count
        from {{ name }}s
        group by submission_id
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

tallied as (

    select
        submission_id,
        cast(sum(thing_count) filter (where thing = 'figure') as bigint) as figure_count,
        cast(sum(thing_count) filter (where thing = 'claim') as bigint) as claim_count,
        cast(sum(thing_count) filter (where thing = 'contradiction') as bigint) as contradiction_count,
        cast(sum(thing_count) filter (where thing = 'finding') as bigint) as warning_count
    from counted
    group by submission_id

),

final as (

    select
        submissions.*,
        coalesce(configured.configuration_count, 0) as configuration_count,
        coalesce(equipped.device_count, 0) as device_count,
        coalesce(filed.source_count, 0) as source_count,
        coalesce(measured.result_count, 0) as result_count,
        coalesce(tallied.figure_count, 0) as figure_count,
        coalesce(tallied.claim_count, 0) as claim_count,
        coalesce(tallied.contradiction_count, 0) as contradiction_count,
        coalesce(tallied.warning_count, 0) as warning_count,
        coalesce(equipped.devices, []) as devices,
        coalesce(equipped.media_classes, []) as media_classes,
        coalesce(measured.load_profiles, []) as load_profiles,
        -- an excerpt is no output of a tool; its results are
        coalesce(if(submissions.source_type = 'excerpt', measured.tools, filed.tools), []) as tools,
        configured.completeness_ratio
    from submissions
    left join configured on submissions.submission_id = configured.submission_id
    left join equipped on submissions.submission_id = equipped.submission_id
    left join measured on submissions.submission_id = measured.submission_id
    left join filed on submissions.submission_id = filed.submission_id
    left join tallied on submissions.submission_id = tallied.submission_id

)

select * from final
