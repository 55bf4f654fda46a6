-- kernel counters of the disks of a run: for a device made of others its own counters, and how busy the others were; idle
-- disks are not listed
with placed as (
    select
        *,
        -- a report of JSON has a number; elsewhere only what all jobs of a run share names it
        if(contains(source_pointer, '#'), split_part(source_pointer, '#', 1), repetition_id) as run
    from disk_counters
),

topmost as (
    select
        file_id,
        run,
        min_by(disk_name, source_pointer) filter (where disk_scope = 'members') as top
    from placed
    group by file_id, run
)

select
    placed.file_id,
    placed.run,
    max(placed.repetition_id) as repetition_id,
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
inner join topmost using (file_id, run)
where placed.run is not null and coalesce(placed.disk_name = topmost.top, true)
group by placed.file_id, placed.run
having sum(read_operation_count + write_operation_count) > 0
