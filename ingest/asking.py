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
    from rich.console import Console  # noqa: PLC0415  (only for people)
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(*names, header_style="bold")
    for row in rows:
        table.add_row(
            *(Text(_shown(value), justify="right" if isinstance(value, int | float) else "left") for value in row)
        )
    console = Console()
    console.print(table, width=None if console.is_terminal else max(console.measure(table).maximum, 80), soft_wrap=True)


def _shown(value: object) -> str:
    return "" if value is None else str(value)
