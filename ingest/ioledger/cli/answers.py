"""The forms of an answer of ``ioledger sql``: a table for people, CSV and JSON for programs."""

from __future__ import annotations

import math
import re
import shutil
import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.cli import print_table, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from duckdb import DuckDBPyRelation

MOST_ROWS = 200
"""What a person reads of a table; of a larger answer the rest is not even computed."""
PIPED_WIDTH = 120
"""Characters per line of a table that goes to no terminal, where ``COLUMNS`` says nothing else."""
QUOTED = re.compile('[",\r\n]')
"""What a cell of CSV stands in quotes for; a reader may take either of the last two for the end of a row."""
NUMBERS = msgspec.json.Encoder(decimal_format="number")
_AT_ONCE = 1024
"""Rows that are printed together; DuckDB has computed all of them before, so that an error comes before any."""


def print_for_people(found: DuckDBPyRelation) -> None:
    """Print the first rows as a table; that there are more, or none, is said beside it."""
    rows = found.limit(MOST_ROWS + 1).fetchall()
    width = shutil.get_terminal_size((PIPED_WIDTH, 0)).columns
    print_table(found.columns, rows[:MOST_ROWS], width)
    if len(rows) > MOST_ROWS:
        say(f"There are more rows: these are the first {MOST_ROWS}. --csv and --json print all of them.")
    elif not rows:
        say("There are no rows.")


def print_csv(found: DuckDBPyRelation) -> None:
    """Print the rows as CSV, in DuckDB's own text of each value."""
    names = found.columns
    # by position, because columns may share a name
    texts = (f"cast(#{position + 1} as varchar)" for position in range(len(names)))
    rows = iter(found.project(", ".join(texts)).iter_rows(_AT_ONCE))
    lines = [names, *islice(rows, _AT_ONCE)]
    while lines:
        sys.stdout.write("".join(map(_csv_line, lines)))
        lines = list(islice(rows, _AT_ONCE))


def _csv_line(cells: Sequence[str | None]) -> str:
    """Return a row as CSV, by the same rule as the site's page for SQL: null is empty, and so is an empty text."""
    line = ",".join(_csv_cell(cell or "") for cell in cells)
    return f"{line}\n" if line or not cells else '""\n'


def _csv_cell(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if QUOTED.search(text) else text


def print_json(found: DuckDBPyRelation) -> None:
    """Print the rows as an array of objects, some rows at a time."""
    names, rows = found.columns, iter(found.iter_rows(_AT_ONCE))
    before = "["
    while chunk := _objects(names, islice(rows, _AT_ONCE)):
        text = msgspec.json.format(NUMBERS.encode(chunk), indent=2).decode()
        sys.stdout.write(before + text.removeprefix("[").removesuffix("\n]"))
        before = ","
    sys.stdout.write("[]\n" if before == "[" else "\n]\n")


def _objects(names: Sequence[str], rows: Iterable[Sequence[object]]) -> list[dict[str, object]]:
    return [dict(zip(names, map(_stated, row), strict=True)) for row in rows]


def _stated(value: Any) -> Any:  # noqa: ANN401  (a value of any type, and what is in it)
    """Return a value that JSON can state: no number of it is infinite or none, and null would say unknown."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return [_stated(each) for each in value]
    return {key: _stated(each) for key, each in value.items()} if isinstance(value, dict) else value
