"""
published: figures, provenance, contradictions and claims transcribed from a publication, and replies, as CSV.

Claims  a CSV file whose header holds the identifier and at least half of the columns of one of the five tables.
Emits   one result per measured rate, throughput or latency that has a configuration; and the rows of the table.
Units   as printed: IO/s and IOPS; KB/s, MB/s and GB/s with their base; s, ms, µs and ns. Ranges keep a null measure.
Source  ``schemas/tables/figures.schema.json`` and its neighbours, which define every column.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ioledger.model import Reading
from ioledger.readers import cells
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from ioledger.model import Source
    from ioledger.tables.schema import Column

TOOL = "published"
FORMATS = (
    "figures.csv: one line per printed number",
    "provenance.csv: one line per fact about what was tested",
    "contradictions.csv: one line per conflict inside or between publications",
    "claims.csv: one line per claim and its operands",
    "replies.csv: one line per reply to a claim, of this or another submission",
)
VERSIONS = {"figures": "0.2.0", "provenance": "0.1.0", "contradictions": "0.1.0", "claims": "0.2.0", "replies": "0.1.0"}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
IDENTIFIERS = {
    "figures": "figure_id",
    "provenance": "provenance_id",
    "contradictions": "contradiction_id",
    "claims": "claim_id",
    "replies": "reply_id",
}
CLOSED = {
    "formula": ("ratio", "difference", "percent_change", "bound", "count", "geomean", "qualitative", "series", "none"),
    "quantifier": ("all", "almost_all"),
}
"""Words of the closed columns of claims.csv."""


def claims(head: bytes) -> bool:
    """Say whether the first line is the header of one of the five tables."""
    return _table(head) is not None


def read(source: Source) -> Reading:
    """Return the rows of the table, the results among its figures, and a refusal for every bad cell."""
    from ioledger.readers.published import figures  # noqa: PLC0415  (files of tools are read without exact fractions)

    table = _table(source.data) or "figures"
    identifier = IDENTIFIERS[table]
    columns = _columns(table)
    optional = figures.OPTIONAL if table == "figures" else ()
    form = cells.Form(
        {column.name: figures.cell_of(column) for column in columns},
        [column.name for column in columns if column.name not in optional],
        "R-CELL-1",
        "R-CELL-2",
        "Remove the column, and use an existing column for its content.",
    )
    rows, refusals = cells.read_rows(source.data, form)
    for row, line in cells.find_repeated(rows, (identifier,)):
        what = f"{row.values[identifier]} is already in line {line}"
        refusals.append(row.refuse(identifier, what, "Give each line a name of its own.", "R-FIGURE-1"))
    reading = Reading(tool=TOOL, source_format=table, document_count=1, refusals=refusals, rows={table: []})
    if table != "figures":
        has_place = "source_pointer" in tables()[table].column_names
        for row in (row for row in rows if row.is_sound):
            place = {"source_pointer": f"line {row.line}"} if has_place else {}
            reading.rows[table].append({name: figures.number(value) for name, value in row.values.items()} | place)
        return reading
    for row in (row for row in rows if row.is_sound):
        problems = list(figures.problems(row))
        reading.refusals += problems
        if problems:
            continue
        result = figures.result(row, TOOL) if figures.is_result(row) else None
        reading.rows[table].append(figures.table_row(row, result))
        if result is not None:
            reading.results.append(result)
    return reading


def _table(head: bytes) -> str | None:
    """Return the table whose header the first line is, even if a column is missing or added."""
    header = cells.read_header(head)
    for table, identifier in IDENTIFIERS.items():
        if identifier in header:
            names = {column.name for column in _columns(table)}
            if 2 * len(names & header) >= len(names):
                return table
    return None


@cache
def _columns(table: str) -> tuple[Column, ...]:
    """Return the columns of a table's file: those of the table without what the manifest supplies."""
    from ioledger.readers.published import figures  # noqa: PLC0415

    if table == "figures":
        return tuple(figures.columns())
    supplied = {"submission_id", "source_sha256", "file_id", "source_pointer", "known_from"}
    columns = (column for column in tables()[table].columns if column.name not in supplied)
    return tuple(replace(each, words=CLOSED[each.name]) if each.name in CLOSED else each for each in columns)
