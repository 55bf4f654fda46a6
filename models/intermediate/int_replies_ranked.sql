with replies as (

    select * from {{ source('raw', 'replies') }}

),

submissions as (

    select * from {{ source('raw', 'submissions') }}

),

ranked as (

    select
        replies.*,
        row_number() over (
            partition by replies.claim_submission_id, replies.claim_id
            order by replies.replied_on desc, replies.submission_id desc, replies.reply_id desc
        ) as rank_index,
        count(*) over (partition by replies.claim_submission_id, replies.claim_id) as reply_count
    from replies
    inner join submissions on replies.submission_id = submissions.submission_id
    where submissions.status in ('active', 'disputed')

),

final as (

    select * exclude (rank_index)
    from ranked
    where rank_index = 1

)

select * from final
