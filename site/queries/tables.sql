-- Tables: what one row of each is, the question it answers, and how many rows it has.
select
    table_name as name,
    case
        when estimated_size = 0 then split_part(comment, chr(10), 1)
        else rtrim(split_part(split_part(comment, chr(10), 1), '. ', 1), '.') || '.'
    end as one_row,
    split_part(comment, chr(10), 2) as question,
    estimated_size as row_count
from duckdb_tables()
where database_name = current_database() and schema_name = 'main'
order by table_name
