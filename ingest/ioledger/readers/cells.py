"""
Read CSV files that this project defines: typed cells, with all their faults at once.

An empty cell is None. Places are written ``line 5, column printed_value``; the header is line 1. A row with a bad cell
is not sound; when the text or the header is bad, no row is read.

Source  RFC 4180 (quoting); UTF-8 with or without a byte order mark.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.model import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

_NEWLINE = b"\n"
_LONGEST_SHOWN, _HEADER_BYTES = 60, 1 << 16
SAME = "〃"
"""Stands for the value of the row above."""
TEXT_REMEDY = "Write one line of text without spaces around it."


class Cell(NamedTuple):
    """What a column may hold: conversion of its text (None if it is not allowed), remedy, whether it may be empty."""

    read: Callable[[str], Any]
    remedy: str
    is_nullable: bool = False


class Form(NamedTuple):
    """A kind of file: its columns, those that it must have, those that may repeat the row above, rules, a remedy."""

    cells: Mapping[str, Cell]
    needed: Collection[str]
    format_rule: str
    cell_rule: str
    remedy_of_others: str
    """What to do with a column that does not belong here."""
    repeated: Collection[str] = ()


class Row(NamedTuple):
    """One line: its number, its values by column, and whether all of them are good."""

    line: int
    values: dict[str, Any]
    is_sound: bool

    def refuse(self, column: str, what: str, remedy: str, rule: str) -> Refusal:
        """Return what is wrong with one cell of a row whose cells are each allowed."""
        return Refusal(f"line {self.line}, column {column}", what, remedy, rule)


def read_header(head: bytes) -> set[str]:
    """Return the columns that the first line of a file names; none where it is no CSV."""
    first = head[:_HEADER_BYTES].removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace")
    try:
        return set(next(csv.reader([first.rstrip("\r")], strict=True), []))
    except csv.Error:
        return set()


def read_rows(data: bytes, form: Form) -> tuple[list[Row], list[Refusal]]:
    """Return the lines of a CSV file as typed rows, and what is wrong with it."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"line {data.count(_NEWLINE, 0, error.start) + 1}"
        return [], [Refusal(place, "the text is not UTF-8", "Save the file as UTF-8.", form.format_rule)]
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    try:
        header = next(reader, [])
        refusals = list(_check_header(header, form))
        if refusals:
            return [], refusals
        start, above = reader.line_num + 1, list[str]()
        repeated = [header.index(name) for name in form.repeated if name in header]
        for texts in reader:
            for at in repeated:
                if above and at < len(texts) and texts[at] == SAME:
                    texts[at] = above[at]
            above = texts
            if texts:
                wrong = len(refusals)
                values = _values(start, texts, header, form, refusals)
                rows.append(Row(start, values, len(refusals) == wrong))
            start = reader.line_num + 1
    except csv.Error as error:
        what = f"the file is not well-formed CSV ({error})"
        remedy = "Quote cells that contain a comma or a quote, and double each quote."
        return [], [Refusal(f"line {reader.line_num}", what, remedy, form.format_rule)]
    return rows, refusals


def _check_header(header: Sequence[str], form: Form) -> Iterator[Refusal]:
    for name in form.needed:
        if name not in header:
            yield Refusal("line 1", f"the column {name} is missing", "Add it to the header.", form.format_rule)
    for name in dict.fromkeys(header):
        if name not in form.cells:
            what = f"the column {name} does not belong here"
            yield Refusal("line 1", what, form.remedy_of_others, form.format_rule)
        elif header.count(name) > 1:
            yield Refusal("line 1", f"the column {name} stands twice", "Keep one of the two.", form.format_rule)


def _values(
    line: int, texts: Sequence[str], header: Sequence[str], form: Form, refusals: list[Refusal]
) -> dict[str, Any]:
    if len(texts) != len(header):
        what = f"the line has {len(texts)} cells and the header {len(header)}"
        remedy = "Add the missing commas, or quote the cell that contains one."
        refusals.append(Refusal(f"line {line}", what, remedy, form.format_rule))
        return {}
    values: dict[str, Any] = dict.fromkeys(header)
    for name, text in zip(header, texts, strict=True):
        read, remedy, is_nullable = form.cells[name]
        what = "" if text or is_nullable else "the cell is empty"
        if text:
            values[name] = value = read(text)
            if value is None:
                shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
                what = f"{shown!r} is not allowed here"
        if what:
            refusals.append(Refusal(f"line {line}, column {name}", what, remedy, form.cell_rule))
    return values


def find_repeated(rows: Sequence[Row], columns: Sequence[str]) -> Iterator[tuple[Row, int]]:
    """Yield each row that has the values of these columns from an earlier row, and the line of that."""
    first: dict[tuple[Any, ...], int] = {}
    for row in rows:
        key = tuple(row.values.get(name) for name in columns)
        if None not in key and first.setdefault(key, row.line) != row.line:
            yield row, first[key]


def plain_text(text: str) -> str | None:
    """Return one line of text without spaces around it; None for any other."""
    return text if text.isprintable() and text == text.strip() else None


def truth(text: str) -> bool | None:
    """Return what ``true`` and ``false`` say; None for any other text."""
    return {"true": True, "false": False}.get(text)
