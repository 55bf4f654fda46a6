"""
Read CSV files that this project defines: typed cells, with all their faults at once.

What a cell may hold comes from ``schemas/tables``: its type, whether it may be empty, and its words. An empty cell is
None. Places are written ``line 5, column printed_value``; the header is line 1.

Source  RFC 4180 (quoting); Unicode with or without a byte order mark.
"""

from __future__ import annotations

import csv
import io
import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.model import Refusal
from ioledger.readers import units

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ioledger.model import Source
    from ioledger.tables.schema import Column

NEWLINE = b"\n"
INTEGER = re.compile(r"[0-9]{1,18}")
REMEDIES = {
    "bool": "Write true or false.",
    "int64": "Write a whole number without separators.",
    "float64": "Write a plain decimal number such as 0.041.",
    "timestamp[us]": "Write a time in UTC such as 2024-11-29T15:29:51Z.",
    "string": "Write one line of text without spaces around it.",
}
Values = dict[str, Any]


class Row(msgspec.Struct, frozen=True):
    """One line: its number, its values by column (numbers are exact fractions), and whether all of them are good."""

    line: int
    values: Values
    is_sound: bool

    def refuse(self, column: str, what: str, remedy: str, rule: str) -> Refusal:
        """Return what is wrong with one cell of a row whose cells are each allowed."""
        return Refusal(f"line {self.line}, column {column}", what, remedy, rule)


def rows(source: Source, columns: Sequence[Column], optional: Collection[str] = ()) -> tuple[list[Row], list[Refusal]]:
    """
    Return the lines of a CSV file as typed rows, and what is wrong with it.

    A row with a bad cell is not sound; when the text or the header is bad, no row is read. The header may leave out the
    columns whose names are ``optional``.
    """
    lines = _records(source.data)
    if isinstance(lines, Refusal):
        return [], [lines]
    header = lines[0][1]
    refusals = list(_header(header, columns, optional))
    if refusals:
        return [], refusals
    known = {column.name: column for column in columns}
    found: list[Row] = []
    for number, line in lines[1:]:
        wrong = len(refusals)
        values = _values(number, line, [known[name] for name in header], refusals)
        found.append(Row(number, values, len(refusals) == wrong))
    return found, refusals


def _records(data: bytes) -> list[tuple[int, list[str]]] | Refusal:
    """Return the records of the text with their first lines, or why it is not CSV; empty lines are skipped."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"line {data.count(NEWLINE, 0, error.start) + 1}"
        return Refusal(place, "the text is not UTF-8", "Save the file as UTF-8.", "R-CELL-1")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    found: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for line in reader:
            if line:
                found.append((start, line))
            start = reader.line_num + 1
    except csv.Error as error:
        what = f"the file is not well-formed CSV ({error})"
        remedy = "Quote cells that contain a comma or a quote, and double each quote."
        return Refusal(f"line {reader.line_num}", what, remedy, "R-CELL-1")
    return found


def _header(header: list[str], columns: Sequence[Column], optional: Collection[str]) -> Iterator[Refusal]:
    names = [column.name for column in columns]
    for name in names:
        if name not in header and name in optional:
            continue
        if name not in header:
            yield Refusal("line 1", f"the column {name} is missing", "Add it to the header.", "R-CELL-1")
        elif header.count(name) > 1:
            yield Refusal("line 1", f"the column {name} stands twice", "Keep one of the two.", "R-CELL-1")
    for name in dict.fromkeys(header):
        if name not in names:
            remedy = "Remove the column, and use an existing column for its content."
            yield Refusal("line 1", f"the column {name} does not belong here", remedy, "R-CELL-1")


def _values(number: int, line: list[str], columns: list[Column], refusals: list[Refusal]) -> Values:
    if len(line) != len(columns):
        what = f"the line has {len(line)} cells and the header {len(columns)}"
        remedy = "Add the missing commas, or quote the cell that contains one."
        refusals.append(Refusal(f"line {number}", what, remedy, "R-CELL-1"))
        return {}
    values: Values = dict.fromkeys(column.name for column in columns)
    for column, text in zip(columns, line, strict=True):
        place = f"line {number}, column {column.name}"
        remedy = f"Use one of: {', '.join(column.words)}." if column.words else REMEDIES[column.arrow]
        remedy = "Write a day such as 2026-11-27." if column.is_date else remedy
        if text:
            values[column.name] = value = _value(text, column)
            if value is None:
                refusals.append(Refusal(place, f"{text!r} is not allowed here", remedy, "R-CELL-2"))
        elif not column.nullable:
            refusals.append(Refusal(place, "the cell is empty", remedy, "R-CELL-2"))
    return values


def _is_day(text: str) -> bool:
    """Say whether a text is a day of the calendar as ISO 8601 writes it."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _value(text: str, column: Column) -> Any:  # noqa: ANN401  (the type follows the column)
    """Return the value of a filled cell, or None if it is invalid."""
    if column.words or column.is_date:
        return text if text in column.words or (column.is_date and _is_day(text)) else None
    if column.arrow == "bool":
        return {"true": True, "false": False}.get(text)
    if column.arrow == "int64":
        return int(text) if INTEGER.fullmatch(text) else None
    if column.arrow == "float64":
        return units.exact(text) if units.DECIMAL.fullmatch(text) else None
    if column.arrow == "timestamp[us]":
        return _microseconds(text)
    return text if text.isprintable() and text == text.strip() else None


def _microseconds(text: str) -> int | None:
    """Return a time in UTC (``2024-11-29T15:29:51Z``) in microseconds since 1970-01-01; None for any other text."""
    try:
        moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        return None
    return int(moment.timestamp()) * 1_000_000 if text.endswith("Z") else None
