"""
The cells of many matrices as arrays: where each stands, and its number as digits and decimals.

Numbers have at most fifteen digits, so digits over a power of ten are rounded once, as ``float`` rounds the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from ingest.readers.orion.matrices import MOST_CELLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.readers.orion.matrix_head import Head

    Array = np.ndarray[Any, Any]

QUANTITIES = ("iops", "mbps", "latency")
_IOPS, _MBPS, _LATENCY = range(len(QUANTITIES))
_UNKNOWN = -1
_COMMA, _POINT, _NEWLINE = b",.\n"
_LONGEST_LABEL, _LONGEST_WHOLE, _MOST_DECIMALS = 9, 12, 6


class Cells(NamedTuple):
    """The filled cells of ordinary matrices: file, quantity, unit, place, point, number and its text."""

    file: Array
    """Index among the files that were given."""
    quantity: Array
    """Index into ``QUANTITIES``."""
    unit: Array
    """Of latencies, in seconds."""
    line: Array
    small: Array
    large: Array
    digits: Array
    decimals: Array
    text: pa.Array[Any]


class _Fields(NamedTuple):
    """What commas and line ends divide: row, column (-1 for its label), digits before and after the point, points."""

    row: Array
    column: Array
    label: Array
    """Index of the label of each row."""
    whole: Array
    decimals: Array
    points: Array
    value: Array
    """The digits as one number, the point left out; zero where there are none."""


def cells(heads: Sequence[Head], rows: Sequence[bytes]) -> Cells:
    """Return the cells of the files that are ordinary; each has rows of digits, points, commas and line ends."""
    joined = b"".join(rows)
    fields = _fields(joined)
    of_row = np.repeat(np.arange(len(rows)), [each.count(b"\n") for each in rows])
    width = np.array([len(head.smalls) for head in heads])
    file = of_row[fields.row]
    is_cell = (fields.column >= 0) & (fields.whole + fields.decimals > 0)
    is_odd = np.zeros(len(rows), np.bool_)
    is_odd[file[_odd(fields, is_cell) | (fields.column >= width[file])]] = True
    large = fields.value[fields.label]
    is_odd[of_row[1:][(of_row[1:] == of_row[:-1]) & (large[1:] <= large[:-1])]] = True
    count = np.bincount(file[is_cell], minlength=len(rows))
    quantity = _quantities(heads, file, is_cell & (large[fields.row] == 0), is_cell & (fields.decimals > 0))
    is_odd |= (count == 0) | (count > MOST_CELLS) | (quantity == _UNKNOWN)
    kept = np.flatnonzero(is_cell & ~is_odd[file])
    file, row = file[kept], fields.row[kept]
    first_row = np.searchsorted(of_row, np.arange(len(rows)))
    unit = np.array([head.unit or 0.0 for head in heads])
    return Cells(
        file, quantity[file], unit[file],
        line=np.array([head.first_line for head in heads])[file] + row - first_row[file],
        small=_smalls(heads, file, fields.column[kept]),
        large=large[row],
        digits=fields.value[kept],
        decimals=fields.decimals[kept],
        text=_texts(joined, b",\n", fields.whole + fields.decimals + fields.points).take(pa.array(kept, pa.int64())),
    )  # fmt: skip


def _fields(joined: bytes) -> _Fields:
    """Divide rows into fields."""
    text = np.frombuffer(joined, np.uint8)
    end = np.flatnonzero((text == _COMMA) | (text == _NEWLINE))
    is_label = np.ones(len(end), np.bool_)
    is_label[1:] = text[end[:-1]] == _NEWLINE
    row, label = np.cumsum(is_label) - 1, np.flatnonzero(is_label)
    point = np.flatnonzero(text == _POINT)
    owner = np.searchsorted(end, point)
    points = np.bincount(owner, minlength=len(end))
    decimals = np.zeros(len(end), np.int64)
    decimals[owner] = end[owner] - point - 1
    length = np.diff(end, prepend=-1) - 1 - points
    value = np.zeros(len(end), np.int64)
    value[length > 0] = _texts(joined, b".,\n", length).filter(pa.array(length > 0)).cast(pa.int64()).to_numpy()
    column = np.arange(len(end)) - label[row] - 1
    return _Fields(row, column, label, length - decimals, decimals, points, value)


def _texts(joined: bytes, without: bytes, length: Array) -> pa.Array[Any]:
    """Return the fields as texts of these lengths, without these characters."""
    offsets = np.zeros(len(length) + 1, np.int32)
    np.cumsum(length, out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets.data), pa.py_buffer(joined.translate(None, without))]
    return pa.Array.from_buffers(pa.string(), len(length), buffers)


def _odd(fields: _Fields, is_cell: Array) -> Array:
    """Say which fields are no plain numbers, or are zero, of which there is something to say."""
    is_label = fields.column < 0
    of_label = (fields.points > 0) | (fields.whole < 1) | (fields.whole > _LONGEST_LABEL)
    of_point = (fields.points > 1) | (fields.whole < 1) | (fields.decimals < 1) | (fields.decimals > _MOST_DECIMALS)
    of_cell = (fields.value == 0) | (fields.whole > _LONGEST_WHOLE)
    odd: Array = (is_label & of_label) | ((fields.points > 0) & of_point) | (is_cell & of_cell)
    return odd


def _quantities(heads: Sequence[Head], file: Array, is_idle: Array, is_fraction: Array) -> Array:
    """Return what each file holds, as stated or told by its shape (see ``matrices``); a latency has to be stated."""
    stated = np.array([_UNKNOWN if head.quantity is None else QUANTITIES.index(head.quantity) for head in heads])
    is_large_first = np.array([head.is_large_first for head in heads])
    is_idle_tested = np.bincount(file[is_idle], minlength=len(heads)) > 0
    has_fraction = np.bincount(file[is_fraction], minlength=len(heads)) > 0
    is_rate = ~is_large_first & is_idle_tested & ~has_fraction
    told = np.select([is_large_first & ~is_idle_tested, is_rate], [_MBPS, _IOPS], _UNKNOWN)
    return np.where(stated == _UNKNOWN, told, stated)


def _smalls(heads: Sequence[Head], file: Array, column: Array) -> Array:
    """Return the small I/Os of cells by file and column; files that share a head share its labels."""
    places: dict[tuple[int, ...], int] = {}
    labels: list[int] = []
    for head in heads:
        if head.smalls not in places:
            places[head.smalls] = len(labels)
            labels += head.smalls
    begin = np.array([places[head.smalls] for head in heads])
    small: Array = np.array(labels)[begin[file] + column]
    return small
