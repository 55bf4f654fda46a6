"""
CSV files that this project defines: rows of typed cells, and everything that is wrong with them at once.

What a cell may hold comes from ``schemas/tables``: its type, whether it may be empty, and its words. An empty cell is
None. Places are written ``line 5, column printed_value``; the header is line 1.

Source  RFC 4180 (quoting); Unicode with or without a byte order mark.
"""

from __future__ import annotations

import csv
import io
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.readers import units
from ioledger.readers.base import Refusal
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from _csv import Reader
    from collections.abc import Iterator

    from ioledger.readers.base import Source

NEWLINE = b"\n"
INTEGER = re.compile(r"[0-9]{1,18}")
Values = dict[str, Any]


class Cell(msgspec.Struct, frozen=True):
    """What one column may hold: its JSON type, whether it must be filled, and its words (empty: any text)."""

    name: str
    kind: str
    is_required: bool = False
    words: tuple[str, ...] = ()


class Row(msgspec.Struct, frozen=True):
    """One line: its number, its values by column (numbers are exact fractions), and whether all of them are good."""

    line: int
    values: Values
    is_sound: bool


@cache
def properties(table: str) -> dict[str, Any]:
    """Return the columns of ``schemas/tables/<table>.schema.json`` as the file defines them."""
    schema = msgspec.json.decode((SCHEMAS / "tables" / f"{table}.schema.json").read_bytes())
    columns: dict[str, Any] = schema["properties"]
    return columns


def cell(name: str, definition: Values) -> Cell:
    """Return the cell that a column of a table allows."""
    types = definition["type"] if isinstance(definition["type"], list) else [definition["type"]]
    kind = next(each for each in types if each != "null")
    words = tuple(word for word in definition.get("enum", ()) if word is not None)
    return Cell(name, kind, "null" not in types, words)


def rows(source: Source, cells: tuple[Cell, ...]) -> tuple[list[Row], list[Refusal]]:
    """
    Return the lines of a CSV file as typed rows, and what is wrong with it.

    A row with a bad cell is not sound; when the text or the header is bad, no row is read.
    """
    lines = _records(source.data)
    if isinstance(lines, Refusal):
        return [], [lines]
    header = lines[0][1]
    refusals = list(_header(header, cells))
    if refusals:
        return [], refusals
    known = {each.name: each for each in cells}
    found: list[Row] = []
    for number, line in lines[1:]:
        wrong = len(refusals)
        values = _values(number, line, [known[name] for name in header], refusals)
        found.append(Row(number, values, len(refusals) == wrong))
    return found, refusals


def _records(data: bytes) -> list[tuple[int, list[str]]] | Refusal:
    """Return the records of the text with their lines, or say why it is no CSV."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"line {data.count(NEWLINE, 0, error.start) + 1}"
        return Refusal(place, "the text is not UTF-8", "Save the file as UTF-8.", "R-CELL-1")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        return list(_lines(reader))
    except csv.Error as error:
        what = f"the file is not well-formed CSV ({error})"
        remedy = "Quote cells that hold a comma or a quote, and double the quote."
        return Refusal(f"line {reader.line_num}", what, remedy, "R-CELL-2")


def _lines(reader: Reader) -> Iterator[tuple[int, list[str]]]:
    """Give each record with the number of the line it starts on; empty lines are no records."""
    start = 1
    for line in reader:
        if line:
            yield start, line
        start = reader.line_num + 1


def _header(header: list[str], cells: tuple[Cell, ...]) -> Iterator[Refusal]:
    names = [each.name for each in cells]
    for name in names:
        if name not in header:
            yield Refusal("line 1", f"the column {name} is missing", "Add it to the header.", "R-CELL-3")
        elif header.count(name) > 1:
            yield Refusal("line 1", f"the column {name} stands twice", "Keep one of the two.", "R-CELL-3")
    for name in dict.fromkeys(header):
        if name not in names:
            remedy = "Remove the column; what it says may stand in a column that exists."
            yield Refusal("line 1", f"the column {name} does not belong here", remedy, "R-CELL-3")


def _values(number: int, line: list[str], cells: list[Cell], refusals: list[Refusal]) -> Values:
    if len(line) != len(cells):
        what = f"the line has {len(line)} cells and the header {len(cells)}"
        remedy = "Add the missing commas, or quote the cell that holds one."
        refusals.append(Refusal(f"line {number}", what, remedy, "R-CELL-4"))
        return {}
    values: Values = dict.fromkeys(each.name for each in cells)
    for each, text in zip(cells, line, strict=True):
        place = f"line {number}, column {each.name}"
        if not text and each.is_required:
            refusals.append(Refusal(place, "the cell is empty", _remedy(each), "R-CELL-5"))
        elif text:
            value = _value(text, each)
            values[each.name] = value
            if value is None:
                refusals.append(Refusal(place, f"{text!r} cannot stand here", _remedy(each), "R-CELL-6"))
    return values


def _value(text: str, allowed: Cell) -> Any:  # noqa: ANN401  (the type follows the column)
    """Return the value of a filled cell, or None when it may not stand there."""
    if allowed.words:
        return text if text in allowed.words else None
    if allowed.kind == "boolean":
        return {"true": True, "false": False}.get(text)
    if allowed.kind == "integer":
        return int(text) if INTEGER.fullmatch(text) else None
    if allowed.kind == "number":
        return units.exact(text) if units.DECIMAL.fullmatch(text) else None
    return text if text.isprintable() and text == text.strip() else None


def _remedy(allowed: Cell) -> str:
    if allowed.words:
        return f"Use one of: {', '.join(allowed.words)}."
    return {
        "boolean": "Write true or false.",
        "integer": "Write a whole number without separators.",
        "number": "Write a plain decimal number such as 0.041.",
        "string": "Write one line of text without spaces around it.",
    }[allowed.kind]
