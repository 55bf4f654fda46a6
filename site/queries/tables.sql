-- Tables and marts: every one of them, and what one row of it is.
select table_name, comment, estimated_size as row_count
from duckdb_tables()
where database_name = 'ioledger'
order by table_name
