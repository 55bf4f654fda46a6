"""
Many ordinary matrices at once, as columns: equal to what ``reading`` gives for each, without a step per cell.

A matrix that is not ordinary is left to ``reading``, and so is every file with more in it than one matrix. There is
nothing to say about an ordinary one but that the unit of its latencies is not stated; where its version could tell the
unit, it is left to ``reading`` too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.readers.orion import matrix_columns, matrix_numbers
from ingest.readers.orion.matrices import MOST_CELLS
from ingest.readers.orion.matrix_head import LONGEST, MARK, head_of
from ingest.readers.orion.reading import MAX_BYTES, MAX_LINES
from ingest.readers.orion.units import ASSUMED
from ingest.record import Columnar, Finding

if TYPE_CHECKING:
    from ingest.readers.orion.matrix_head import Head
    from ingest.readers.orion.matrix_numbers import Cells
    from ingest.record import Source

_LABEL_WITHIN = 2048
_TOGETHER_BYTES = 512 << 10
"""Enough for steps on whole arrays, and few enough that the arrays stay in the processor's caches."""
_DIGITS, _OTHERS = b"0123456789.", b", \n"
_KINDS = bytes(ord("0") if each in _DIGITS else each if each in _OTHERS else ord("x") for each in range(256))
_ODD = (b"x", b"0 ", b"0" * 16)
"""Anything but numbers, a blank after a number (which could join two of them), and a number that is too long."""


class Taken(NamedTuple):
    """Of each file its index, what stands above its cells, and its rows without blanks."""

    indexes: list[int]
    heads: list[Head]
    rows: list[bytes]


class Ordinary:
    """The ordinary matrices among files that are given one after the other; of each only numbers and texts are kept."""

    def __init__(self) -> None:
        """Begin with no file."""
        self.taken = Taken([], [], [])
        self.waiting_bytes = 0
        self.parts: list[Cells] = []
        self.findings: dict[int, list[Finding]] = {}

    def add(self, index: int, source: Source) -> bool:
        """Take a file if it looks like an ordinary matrix; some are taken apart together."""
        data = source.data
        label = data.find(MARK, 0, _LABEL_WITHIN)
        start = data.find(b"\n", label, LONGEST) + 1
        if label < 0 or not start or len(data) > MAX_BYTES:
            return False
        head, rows = head_of(data[:start]), _rows(data[start:])
        if source.tool_version and head and head.unit is None and not head.quantity and not head.is_large_first:
            return False
        if head is None or rows is None or head.first_line + rows.count(b"\n") > MAX_LINES:
            return False
        if rows.count(b",") > MOST_CELLS:
            return False
        self.taken.indexes.append(index)
        self.taken.heads.append(head)
        self.taken.rows.append(rows)
        self.waiting_bytes += len(rows)
        if self.waiting_bytes > _TOGETHER_BYTES:
            self._take_apart()
        return True

    def columns(self) -> Columnar | None:
        """Return the results of the matrices that proved ordinary when they were taken apart; null without any."""
        if self.taken.indexes:
            self._take_apart()
        if not self.parts:
            return None
        cells = matrix_numbers.joined(self.parts)
        return Columnar(cells.file, matrix_columns.results(cells), percentiles={}, bins={}, findings=self.findings)

    def _take_apart(self) -> None:
        """Turn the rows that wait into numbers."""
        indexes, heads, rows = self.taken
        cells = matrix_numbers.cells(heads, rows)
        self.parts.append(cells._replace(file=np.array(indexes, np.int64)[cells.file]))
        self.findings |= {indexes[file]: [_assumed(heads[file])] for file in cells.assumed.tolist()}
        self.taken, self.waiting_bytes = Taken([], [], []), 0


def _assumed(head: Head) -> Finding:
    message, rule = ASSUMED
    return Finding(rule, message, f"line {head.first_line - 1}")


def _rows(data: bytes) -> bytes | None:
    """Return the rows without blanks, each with its end; null where there is anything but rows of plain numbers."""
    rows = data.replace(b"\r\n", b"\n") if b"\r" in data else data
    kinds = rows.translate(_KINDS)
    if any(odd in kinds for odd in _ODD):
        return None
    bare = rows.translate(None, b" ").rstrip(b"\n") + b"\n"
    return None if bare.startswith(b"\n") or b"\n\n" in bare else bare
