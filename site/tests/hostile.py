# ruff: noqa: INP001  (a script for the test beside it)
"""
Put hostile text into a copy of the built database: HTML, scripts, expressions and Markdown in every text that is shown.

Usage: ``hostile.py DATABASE``. Names that pages and files are found by stay as they are.
"""

from __future__ import annotations

import sys

import duckdb

TEXT = (
    '<img src=x onerror="window.hit=1"> ${window.hit=1} </script><script>window.hit=1</script> '
    "[a](javascript:window.hit=1) `b` **c** # d ''' --- &lt;"
)
KEPT_ENDINGS = ("_id", "_path", "_sha256", "_pointer", "_basis", "_class", "_classes", "_topology")
KEPT = {
    *("metric", "operation", "access_pattern", "topology", "value_kind", "statistic", "record_kind", "quantity"),
    *("section", "status", "basis", "load_profile", "load_profiles", "comparability_grade"),
}


def main() -> None:
    """Append the text to every text column that holds words, and make the address of every publication a script."""
    with duckdb.connect(sys.argv[1]) as connection:
        connection.execute("set threads = 1")
        columns = connection.execute(
            "select table_name, column_name from duckdb_columns() where data_type = 'VARCHAR' and not internal"
        ).fetchall()
        for table, column in columns:
            if not column.endswith(KEPT_ENDINGS) and column not in KEPT:
                connection.execute(f'update "{table}" set "{column}" = "{column}" || ?', [TEXT])  # noqa: S608
        connection.execute("update submissions set citation_url = 'javascript:window.hit=1'")
        connection.execute(
            "insert into sources by name select 'hostile' as source_sha256, min(submission_id) as submission_id, "
            "'page.html' as source_path, 'attachment' as role, 1 as size_bytes from submissions"
        )


main()
