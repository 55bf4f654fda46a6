"""The command ``ioledger sql``: SQL over the built database."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import click
import duckdb

from ioledger.cli import UNBUILT, end_with, in_workspace, print_rows, say_json, with_database
from ioledger.problems import Problem, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ioledger.workspace import Workspace

SHOW_TABLES = re.compile(r"\s*show\s+tables\s*", re.IGNORECASE)
TABLES = """
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
"""
"""The answer to ``show tables``: of each what a row is (and what would fill an empty one), and what to ask it."""
QUOTED = re.compile('[",\r\n]')
"""What a cell of CSV stands in quotes for; a reader may take either of the last two for the end of a row."""


@click.command(
    epilog=f"DuckDB {version('duckdb')} answers. The page for SQL on the site runs another version in the browser; "
    "each answer there names both."
)
@click.argument("query")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--json", "form", flag_value="json", help="Print a JSON array of objects.")
@in_workspace
@with_database
def sql(query: str, form: str | None, workspace: Workspace, database: Path | None) -> None:
    """
    Ask the built database; it is opened read-only.

    \b
    Examples:
      ioledger sql "select load_profile, quotient_ratio from quotients"
      ioledger sql "from scaling" --csv > factors.csv
      ioledger sql "show tables"
    """  # noqa: D301
    if (problem := ask(plain(query), database or workspace.database, form or "table")) is not None:
        end_with([problem])


def ask(query: str, database: Path, form: str) -> Problem | None:
    """
    Run a query on a DuckDB file and print the rows as ``table``, ``csv`` or ``json``; return what went wrong, or None.

    The file is opened read-only and the query cannot reach other files. In CSV the text of a value is the one that
    DuckDB gives it, with times in UTC, as on the site's page for SQL.
    """
    if not database.is_file():
        return Problem(str(database), "", "there is no database", UNBUILT, "R-SQL-1")
    try:
        with duckdb.connect(database, read_only=True, config={"enable_external_access": "false"}) as connection:
            connection.execute("set TimeZone = 'UTC'")
            statements = _statements(query)
            if len(statements) != 1:
                what = f"of these {len(statements)} statements none was run" if statements else "there is no statement"
                return Problem("query", "", what, "Ask one at a time, or join them with `union all`.", "R-SQL-3")
            asked = TABLES if SHOW_TABLES.fullmatch(statements[0]) else statements[0]
            names, rows = _answer(connection.sql(asked), form)
    except duckdb.Error as error:
        what = " ".join(str(error).split())
        return Problem("query", "", what, 'List what there is with `ioledger sql "show tables"`.', "R-SQL-2")
    if form == "json" and (same := sorted({name for name in names if names.count(name) > 1})):
        what = f"several columns are called {', '.join(same)}; an object holds one of each name"
        return Problem("query", "", what, "Give each a name of its own with `as`, or ask for CSV.", "R-SQL-4")
    if form == "json":
        say_json([dict(zip(names, row, strict=True)) for row in rows])
    else:
        {"table": print_rows, "csv": _print_csv}[form](names, rows)
    return None


def _statements(query: str) -> list[str]:
    """
    Return the statements of a text without the semicolons between them, as the site's page for SQL parts them.

    DuckDB's own reader of words says where one ends, so a semicolon in a string, a name or a comment is none.
    """
    text = query.encode()
    words = [offset for offset, kind in duckdb.tokenize(query) if kind != duckdb.token_type.comment]
    ends = [offset for offset in words if text[offset : offset + 1] == b";"] + [len(text)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    return [
        text[start:end].decode()
        for start, end in zip(starts, ends, strict=True)
        if any(start <= word < end for word in words)
    ]


def _answer(found: duckdb.DuckDBPyRelation | None, form: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the names and rows of an answer; for CSV, as DuckDB's own text of each value."""
    if found is None:
        return [], []
    names = list(found.columns)
    if form != "csv":
        return names, found.fetchall()
    # by position, because columns may share a name
    texts = (f"cast(#{position + 1} as varchar)" for position in range(len(names)))
    return names, found.project(", ".join(texts)).fetchall()


def _print_csv(names: list[str], rows: list[tuple[str | None, ...]]) -> None:
    sys.stdout.writelines(_csv_line(cells) for cells in (names, *rows))


def _csv_line(cells: Sequence[str | None]) -> str:
    """Return a row as CSV, by the same rule as the site's page for SQL: null is empty, and so is an empty text."""
    line = ",".join(_csv_cell(cell or "") for cell in cells)
    return f"{line}\n" if line or not cells else '""\n'


def _csv_cell(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if QUOTED.search(text) else text
