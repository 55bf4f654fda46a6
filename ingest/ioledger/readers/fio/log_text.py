"""
The columns of fio's text logs: whole numbers, separated by a comma and a space, without a header.

``time, value, direction, block size`` up to 3.17 (and an offset with ``log_offset``); a priority follows from 3.18 on,
so six columns and more are of 3.18 or later; ``log_window_value=both`` (3.42) puts the maximum after the value.
Five columns are ambiguous: the last may be an offset or a priority. Source: fio's ``iolog.c``, ``flush_samples()``.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.fio.log_histogram import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE = re.compile(rb"\d{1,18}, \d{1,20}(?:, \d{1,20}|, 0x[0-9a-f]{1,8}){2,2000}\r?")
_LONGEST_LINE = 1 << 16
_FEWEST, _MOST = 4, 8
_WITH_PRIORITY = 6
_BEFORE_BINS = 3
_AFTER_VALUE = 2
_HEAD_LINES = 1000
_LAST_DIRECTION = 2


class Columns(NamedTuple):
    """Where the columns of a log stand, and whether their number proves fio 3.18 or later."""

    width: int
    direction: int
    is_recent: bool
    bin_count: int | None


def lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers, without cutting out any that is too long."""
    start, number = 0, 1
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        yield number, data[start:end] if end - start <= _LONGEST_LINE else b"?"
        start, number = end + 1, number + 1


def columns(data: bytes) -> Columns | None:
    """Tell the columns from the first lines; null when they are not a log's."""
    heads = (numbers(line) for _, line in islice(lines(data), _HEAD_LINES) if line.strip())
    first = next(heads, None)
    if not first:
        return None
    width = len(first)
    if width - _BEFORE_BINS in SHAPES:
        return Columns(width, 1, is_recent=False, bin_count=width - _BEFORE_BINS)
    rows = [first, *(row for row in heads if row and len(row) == width)]
    is_recent = width >= _WITH_PRIORITY or b", 0x" in data[:_LONGEST_LINE]
    for place in (_AFTER_VALUE, _AFTER_VALUE + 1) if width >= _WITH_PRIORITY else (_AFTER_VALUE,):
        if _FEWEST <= width <= _MOST and all(row[place] <= _LAST_DIRECTION for row in rows):
            return Columns(width, place, is_recent, bin_count=None)
    return None


def numbers(line: bytes) -> list[int] | None:
    """Return the numbers of a line, or null when it is not a line of a log."""
    if not LINE.fullmatch(line):
        return None
    return [int(field, 16) if field.startswith(b"0x") else int(field) for field in line.rstrip(b"\r").split(b", ")]
