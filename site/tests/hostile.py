"""Put hostile text into the copy ``hostile.py DATABASE``: in every text but names and words that schemas list."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import duckdb

from ioledger.tables.schema import read_schema

TEXT = (
    '<img src=x onerror="window.hit=1"> ${window.hit=1} </script><script>window.hit=1</script> '
    "[a](javascript:window.hit=1) `b` **c** # d ''' --- &lt;"
)
KEPT = re.compile(
    ".*_(id|path|sha256|pointer|basis|class|classes|topology|origin)|metric|operation|access_pattern|topology|value_kind|statistic"
    "|record_kind|number_kind|quantity|model|origin|per|values|check_name|changed_column|path|status|basis|reason"
)
COLUMNS = """
    select schema_name || '.' || table_name, column_name, data_type
    from duckdb_columns() inner join duckdb_tables() using (database_name, schema_name, table_name)
    where data_type in ('VARCHAR', 'VARCHAR[]') and database_name = current_database()
"""
SCHEMAS = sorted((Path(__file__).resolve().parents[2] / "schemas").rglob("*.schema.json"))
LISTED = {name for path in SCHEMAS for name, its in read_schema(path).get("properties", {}).items() if "enum" in its}

with duckdb.connect(sys.argv[1]) as connection:
    connection.execute("set threads = 1")
    ((profile,),) = connection.execute("select max(load_profile) from results").fetchall()
    for table, column, kind in connection.execute(COLUMNS).fetchall():
        if column in ("load_profile", "load_profiles"):
            change, values = "replace({}, ?, ? || ?)", [profile, profile, TEXT]
        elif KEPT.fullmatch(column) or column in LISTED:
            continue
        else:
            change, values = "{} || ?", [TEXT]
        own = f'list_transform("{column}", lambda each: {change.format("each")})'
        new = own if kind == "VARCHAR[]" else change.format(f'"{column}"')
        connection.execute(f'update {table} set "{column}" = {new}', values)  # noqa: S608
    connection.execute("update submissions set citation_url = 'javascript:window.hit=1'")
    connection.execute(
        "insert into files by name select 'hostile' as file_id, min(submission_id) as submission_id, "
        "'page.html' as path, 'attachment' as role, 1 as size_bytes from submissions"
    )
