-- No quotient across unequal topologies, numbers of drives, load bases or areas, nor of a unit whose base is unknown.
with quotients as (

    select * from {{ ref('quotients') }}

),

configurations as (

    select * from {{ ref('configurations') }}

),

points as (

    select distinct
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        coalesce(load_basis, 'outstanding') as load_basis,
        unit_basis
    from {{ ref('points') }}
    where is_comparable and (operations_per_second is not null or latency_mean_seconds is not null)

),

sides as (

    select
        submission_id,
        configuration_id,
        section,
        load_profile_id,
        string_agg(distinct replace(load_basis, '_per_drive', ''), ', ' order by replace(load_basis, '_per_drive', ''))
            as load_bases,
        bool_and(unit_basis = 'unknown') as is_unit_unknown
    from points
    group by submission_id, configuration_id, section, load_profile_id

)

select quotients.*
from quotients
inner join configurations as a
    on quotients.a_submission_id = a.submission_id and quotients.a_configuration_id = a.configuration_id
inner join configurations as b
    on quotients.b_submission_id = b.submission_id and quotients.b_configuration_id = b.configuration_id
left join sides as a_side
    on
        quotients.a_submission_id = a_side.submission_id
        and quotients.a_configuration_id = a_side.configuration_id
        and quotients.a_section = a_side.section
        and quotients.load_profile_id = a_side.load_profile_id
left join sides as b_side
    on
        quotients.b_submission_id = b_side.submission_id
        and quotients.b_configuration_id = b_side.configuration_id
        and quotients.b_section = b_side.section
        and quotients.load_profile_id = b_side.load_profile_id
where
    a.storage_topology <> b.storage_topology
    or a.drive_count <> b.drive_count
    or a_side.load_bases is null
    or b_side.load_bases is null
    or a_side.load_bases <> b_side.load_bases
    or a_side.is_unit_unknown
    or b_side.is_unit_unknown
