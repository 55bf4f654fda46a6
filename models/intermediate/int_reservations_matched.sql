with reservations as (

    select
        *,
        row_number() over (
            partition by submission_id, configuration_id, kind, operation
            order by reservation_index
        ) as same_index
    from {{ source('raw', 'reservations') }}

),

repetitions as (

    select * from {{ ref('repetitions') }}

),

kinds as (

    select * from {{ ref('known_reservations') }}

),

final as (

    select
        repetitions.repetition_id,
        concat_ws(
            ', ',
            replace(reservations.kind, '_', ' '),
            reservations.operation,
            case when reservations.same_index > 1 then cast(reservations.same_index as varchar) end
        ) as subject,
        kinds.verdict,
        case
            when reservations.effect = 'excluded' then 'X'
            when repetitions.operation = 'read' or reservations.operation = 'read' then kinds.effect_of_reads
            when repetitions.operation in ('write', 'trim') or reservations.operation is not null
                then kinds.effect_of_writes
            -- C comes after B
            else greatest(kinds.effect_of_reads, kinds.effect_of_writes)
        end as effect,
        kinds.is_lower_bound and reservations.effect = 'flagged' as is_lower_bound,
        [reservations.reason, concat('known from ', reservations.known_from)] as reasons
    from reservations
    inner join kinds on reservations.kind = kinds.kind
    inner join repetitions
        on
            reservations.submission_id = repetitions.submission_id
            and reservations.configuration_id = repetitions.configuration_id
            -- a load that mixes reads and writes has what is said of either
            and (
                reservations.operation is null
                or reservations.operation = repetitions.operation
                or repetitions.operation = 'mixed'
            )

)

select * from final
