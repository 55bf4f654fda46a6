"""SQL over the built database: what ``ioledger sql`` does."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec

from ingest.problems import Problem

if TYPE_CHECKING:
    from pathlib import Path

FILE_WIDTH = 10_000
"""Characters per line for a table that goes to a file or a program: nothing is wrapped there."""


def ask(query: str, database: Path, form: str) -> Problem | None:
    """
    Run a query on a DuckDB file and print the rows as ``table``, ``csv`` or ``json``; return what went wrong, or None.

    The file is opened read-only and the query cannot reach other files.
    """
    if not database.is_file():
        return Problem(str(database), "", "there is no database", "Run npm run build first.", "R-SQL-1")
    try:
        with duckdb.connect(database, read_only=True, config={"enable_external_access": "false"}) as connection:
            cursor = connection.execute(query)
            names = [column[0] for column in cursor.description or ()]
            rows = cursor.fetchall()
    except duckdb.Error as error:
        what = " ".join(str(error).split())
        return Problem("query", "", what, 'List what there is with `ioledger sql "show tables"`.', "R-SQL-2")
    {"table": _print_table, "csv": _print_csv, "json": _print_json}[form](names, rows)
    return None


def _print_csv(names: list[str], rows: list[tuple[Any, ...]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)


def _print_json(names: list[str], rows: list[tuple[Any, ...]]) -> None:
    objects = [dict(zip(names, row, strict=True)) for row in rows]
    print(msgspec.json.format(msgspec.json.encode(objects), indent=2).decode())  # noqa: T201


def _print_table(names: list[str], rows: list[tuple[Any, ...]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  (only for people)
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    numeric = [all(isinstance(row[index], int | float | None) for row in rows) for index in range(len(names))]
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    for name, right in zip(names, numeric, strict=True):
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_shown(value)) for value in row))
    screen = sys.stdout.isatty()
    Console(width=None if screen else FILE_WIDTH).print(table)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10g}"
    return "" if value is None else str(value)
