with workloads as (

    select * from {{ ref('int_workloads_identified') }}

),

results as (

    select * from {{ ref('results') }}

),

named as (

    select
        *,
        concat_ws(' ', stated_load_profile, test_name, source_path) as source_text,
        nullif(trim(regexp_replace(lower(load_profile), '[^a-z0-9]+', ' ', 'g')), '') as profile_words,
        -- names in words parted by one space, with one at both ends, so that one is found in another as a whole; the
        -- first word alone is looked for before, because to part a million names takes long
        coalesce(
            case
                when contains(lower(source_text), split_part(profile_words, ' ', 1))
                    then
                        contains(
                            concat(' ', regexp_replace(lower(source_text), '[^a-z0-9]+', ' ', 'g'), ' '),
                            concat(' ', profile_words, ' ')
                        )
            end,
            false
        ) as is_named
    from results

),

measured as (

    select
        workload_id,
        count(*) as result_count,
        count(distinct submission_id || '/' || configuration_id) as configuration_count,
        count(distinct submission_id) as submission_count,
        list(distinct submission_id order by submission_id) filter (where is_named) as naming_submissions
    from named
    where workload_id is not null
    group by workload_id

),

final as (

    select
        workloads.* exclude (workload),
        coalesce(measured.result_count, 0) as result_count,
        coalesce(measured.configuration_count, 0) as configuration_count,
        coalesce(measured.submission_count, 0) as submission_count,
        coalesce(measured.naming_submissions, []) as naming_submissions
    from workloads
    left join measured on workloads.workload_id = measured.workload_id
    -- a load that only a withdrawn submission measured is no load of these tables
    where workloads.is_listed or measured.workload_id is not null

)

select * from final
