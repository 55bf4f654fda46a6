-- Tables: one row of each table, the question that it answers, and its row count.
with found as (
    select table_name as name, comment, estimated_size as row_count, schema_name, database_name from duckdb_tables()
    union all
    select view_name, comment, null, schema_name, database_name from duckdb_views()
)
select
    name,
    case
        when row_count = 0 then split_part(comment, chr(10), 1)
        else rtrim(split_part(split_part(comment, chr(10), 1), '. ', 1), '.') || '.'
    end as one_row,
    split_part(comment, chr(10), 2) as question,
    row_count
from found
where database_name = current_database() and schema_name = 'main'
order by name
