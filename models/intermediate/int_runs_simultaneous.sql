{{ config(materialized='table') }}

with sessions as (

    select * from {{ ref('int_sessions_numbered') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

configurations as (

    select * from {{ ref('int_configurations_described') }}

),

-- only runs whose own start and end are told: those that a file dates together follow one another
runs as (

    select
        repetitions.submission_id,
        repetitions.configuration_id,
        repetitions.workload_id,
        configurations.bench_key,
        sessions.started_at,
        sessions.ended_at
    from repetitions
    inner join sessions on repetitions.repetition_id = sessions.repetition_id
    inner join configurations
        on
            repetitions.submission_id = configurations.submission_id
            and repetitions.configuration_id = configurations.configuration_id
    where
        sessions.is_dated_alone
        and sessions.ended_at > sessions.started_at
        and configurations.bench_key is not null
        and repetitions.workload_id is not null

),

followed as (

    select
        *,
        max(ended_at) over (
            partition by bench_key order by started_at, ended_at rows between unbounded preceding and 1 preceding
        ) as previous_end
    from runs

),

-- what does not hang together in time need not be compared run by run
clustered as (

    select
        *,
        sum(if(started_at >= previous_end, 1, 0)) over (
            partition by bench_key order by started_at, ended_at rows between unbounded preceding and current row
        ) as cluster_index
    from followed

),

-- clocks that count seconds let runs that follow one another overlap by one
final as (

    select distinct
        a.submission_id as a_submission_id,
        a.configuration_id as a_configuration_id,
        a.workload_id as a_workload_id,
        b.submission_id as b_submission_id,
        b.configuration_id as b_configuration_id,
        b.workload_id as b_workload_id
    from clustered as a
    inner join clustered as b
        on
            a.bench_key = b.bench_key
            and a.cluster_index = b.cluster_index
    where
        (a.submission_id, a.configuration_id, a.workload_id) <> (b.submission_id, b.configuration_id, b.workload_id)
        and 2 * (epoch_us(least(a.ended_at, b.ended_at)) - epoch_us(greatest(a.started_at, b.started_at)))
        > least(
            epoch_us(a.ended_at) - epoch_us(a.started_at), epoch_us(b.ended_at) - epoch_us(b.started_at)
        )

)

select * from final
