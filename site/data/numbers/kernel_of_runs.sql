-- kernel counters of the disks of a run: for a device made of others its own counters, and how busy the others were; idle
-- disks are not listed
with placed as (
    select
        *,
        -- a report of JSON has a number; elsewhere only what all jobs of a run share names it
        if(contains(source_pointer, '#'), split_part(source_pointer, '#', 1), repetition_id) as run,
        min_by(disk_name, source_pointer) filter (where disk_scope = 'members') over (partition by file_id, run) as top
    from disk_counters
)

select
    file_id,
    run,
    {
        disks: list(distinct disk_name order by disk_name),
        reads: sum(read_operation_count) filter (where disk_scope = 'device')::bigint,
        writes: sum(write_operation_count) filter (where disk_scope = 'device')::bigint,
        tool_reads: max(tool_read_operation_count),
        tool_writes: max(tool_write_operation_count),
        jobs: max(job_count),
        busy: max(busy_ratio)
    } as kernel
from placed
where run is not null and coalesce(disk_name = top, true)
group by file_id, run
having sum(read_operation_count + write_operation_count) > 0
