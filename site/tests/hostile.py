# ruff: noqa: INP001  (a script for the test beside it)
"""
Put hostile text into a copy of the built database: HTML, scripts, expressions and Markdown in every text that is shown.

Usage: ``hostile.py DATABASE``. Names that pages and files are found by stay as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from ioledger.tables.schema import read_schema

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = (
    '<img src=x onerror="window.hit=1"> ${window.hit=1} </script><script>window.hit=1</script> '
    "[a](javascript:window.hit=1) `b` **c** # d ''' --- &lt;"
)
KEPT_ENDINGS = ("_id", "_path", "_sha256", "_pointer", "_basis", "_class", "_classes", "_topology", "_origin")
KEPT = {
    *(
        "metric",
        "operation",
        "access_pattern",
        "topology",
        "value_kind",
        "statistic",
        "record_kind",
        "number_kind",
        "quantity",
        "model",
        "origin",
        "per",
        "values",
        "check_name",
        "changed_column",
    ),
    *("path", "status", "basis", "load_profile", "load_profiles", "reason"),
}
SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"


def _words_of_schemas() -> set[str]:
    """Return the columns whose words the schemas list: no submission can bring another, and pages translate them."""
    found = map(read_schema, sorted(SCHEMAS.rglob("*.schema.json")))
    return {name for schema in found for name, its in schema.get("properties", {}).items() if "enum" in its}


def _in_each(column: str, kind: str, change: Callable[[str], str]) -> str:
    """Return the SQL of a column with a change of its text, or of each text of its lists."""
    if kind == "VARCHAR[]":
        return f'list_transform("{column}", lambda each: {change("each")})'
    return change(f'"{column}"')


def _rename_a_profile(connection: duckdb.DuckDBPyConnection, columns: list[tuple[str, str, str]]) -> None:
    """Append the text to one load profile wherever it stands; pages look the others up by their names."""
    name = connection.execute("select max(load_profile) from results").fetchall()[0][0]
    for table, column, kind in columns:
        if column in {"load_profile", "load_profiles"}:
            new = _in_each(column, kind, lambda text: f"replace({text}, ?, ? || ?)")
            connection.execute(f'update {table} set "{column}" = {new}', [name, name, TEXT])  # noqa: S608


def main() -> None:
    """Append the text to every text column that holds words, and make the address of every publication a script."""
    with duckdb.connect(sys.argv[1]) as connection:
        connection.execute("set threads = 1")
        columns = connection.execute(
            "select schema_name || '.' || table_name, column_name, data_type from duckdb_columns() "
            "inner join duckdb_tables() using (database_name, schema_name, table_name) "
            "where data_type in ('VARCHAR', 'VARCHAR[]') and database_name = current_database()"
        ).fetchall()
        kept = KEPT | _words_of_schemas()
        for table, column, kind in columns:
            if not column.endswith(KEPT_ENDINGS) and column not in kept:
                new = _in_each(column, kind, lambda text: f"{text} || ?")
                connection.execute(f'update {table} set "{column}" = {new}', [TEXT])  # noqa: S608
        _rename_a_profile(connection, columns)
        connection.execute("update submissions set citation_url = 'javascript:window.hit=1'")
        connection.execute(
            "insert into files by name select 'hostile' as file_id, min(submission_id) as submission_id, "
            "'page.html' as path, 'attachment' as role, 1 as size_bytes from submissions"
        )


main()
