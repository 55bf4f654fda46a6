"""
The cells of many matrices as arrays: where each stands, and its number as digits and decimals.

Numbers have at most fifteen digits, so digits over a power of ten are rounded once, as ``float`` rounds the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from ingest.readers.orion.figures import MICRO
from ingest.readers.orion.matrices import DECIMALS
from ingest.readers.orion.matrix_fields import fields_of, texts
from ingest.readers.orion.units import BEYOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.readers.orion.matrix_fields import Array, Fields
    from ingest.readers.orion.matrix_head import Head

QUANTITIES = ("iops", "mbps", "latency")
_IOPS, _MBPS, _LATENCY = range(len(QUANTITIES))
_UNKNOWN = -1
_LONGEST_LABEL, _LONGEST_WHOLE, _MOST_DECIMALS = 9, 12, 6


class Cells(NamedTuple):
    """The filled cells of ordinary matrices: file, quantity, unit, place, point, number and its text."""

    file: Array
    """Index among the files that were given."""
    quantity: Array
    """Index into ``QUANTITIES``."""
    is_micro: Array
    """Whether a latency is in microseconds, not in milliseconds."""
    line: Array
    small: Array
    large: Array
    digits: Array
    decimals: Array
    text: pa.Array[Any]
    assumed: Array
    """Files of latencies whose unit is not stated; those of more than a second are not ordinary."""


def cells(heads: Sequence[Head], rows: Sequence[bytes]) -> Cells:
    """Return the cells of the files that are ordinary; each has rows of digits, points, commas and line ends."""
    text = b"".join(rows)
    fields = fields_of(text)
    of_row = np.repeat(np.arange(len(rows)), [each.count(b"\n") for each in rows])
    first_row = np.searchsorted(of_row, np.arange(len(rows)))
    quantity = _quantities(heads, fields, first_row)
    assumed = (quantity == _LATENCY) & np.array([head.unit is None for head in heads])
    is_odd = (quantity == _UNKNOWN) | _odd_files(heads, fields, of_row)
    is_odd[of_row[fields.row[_odd_fields(fields)]]] = True
    long = of_row[fields.row[fields.is_cell & (fields.value > BEYOND * 10**DECIMALS)]]
    is_odd[long[assumed[long]]] = True
    kept = np.flatnonzero(fields.is_cell & ~is_odd[of_row][fields.row])
    row = fields.row[kept]
    file = of_row[row]
    line = np.array([head.first_line for head in heads])[of_row] + np.arange(len(of_row)) - first_row[of_row]
    return Cells(
        file=file,
        quantity=quantity[file],
        is_micro=np.array([head.unit == MICRO for head in heads])[file],
        line=line.astype(np.int32)[row],
        small=_smalls(heads, file, kept - fields.label[row] - 1),
        large=fields.value[fields.label].astype(np.int32)[row],
        digits=fields.value[kept],
        decimals=fields.decimals[kept].astype(np.int8),
        text=texts(text, b",\n", fields.whole + fields.decimals + fields.points).take(pa.array(kept, pa.int64())),
        assumed=np.flatnonzero(assumed & ~is_odd),
    )


def joined(parts: Sequence[Cells]) -> Cells:
    """Return the cells of all parts."""
    *arrays, text, assumed = zip(*parts, strict=True)
    return Cells._make([*map(np.concatenate, arrays), pa.concat_arrays(text), np.concatenate(assumed)])


def _odd_fields(fields: Fields) -> Array:
    """Return the fields that are no plain numbers, or are zero, of which there is something to say."""
    has_point = fields.points > 0
    of_point = (fields.points > 1) | (fields.whole < 1) | (fields.decimals < 1) | (fields.decimals > _MOST_DECIMALS)
    odd = fields.is_cell & ((fields.value == 0) | (fields.whole > _LONGEST_WHOLE)) | has_point & of_point
    whole = fields.whole[fields.label]
    odd[fields.label] = has_point[fields.label] | (whole < 1) | (whole > _LONGEST_LABEL)
    return np.flatnonzero(odd)


def _odd_files(heads: Sequence[Head], fields: Fields, of_row: Array) -> Array:
    """Say which files have a row that is too long or does not count on, or no filled cell."""
    width = np.array([len(head.smalls) for head in heads])[of_row]
    large = fields.value[fields.label]
    is_odd_row = np.diff(fields.label, append=len(fields.row)) - 1 > width
    is_odd_row[1:] |= (of_row[1:] == of_row[:-1]) & (large[1:] <= large[:-1])
    count = np.bincount(of_row[fields.row[fields.is_cell]], minlength=len(heads))
    odd: Array = count == 0
    odd[of_row[is_odd_row]] = True
    return odd


def _quantities(heads: Sequence[Head], fields: Fields, first_row: Array) -> Array:
    """Return what each file holds, as stated or told by its shape (see ``matrices``)."""

    def count(which: Array) -> Array:
        """Count, in each file, the fields of this kind."""
        of_row = np.add.reduceat(which & fields.is_cell, fields.label, dtype=np.int64)
        counted: Array = np.add.reduceat(of_row, first_row)
        return counted

    stated = np.array([QUANTITIES.index(head.quantity) if head.quantity else _UNKNOWN for head in heads])
    is_large_first = np.array([head.is_large_first for head in heads])
    is_idle_tested = count((fields.value[fields.label] == 0)[fields.row]) > 0
    is_rate, is_latency = count(fields.decimals > 0) == 0, count(fields.decimals != DECIMALS) == 0
    of_small = ~is_large_first & is_idle_tested
    told = [is_large_first & ~is_idle_tested, of_small & is_rate, of_small & is_latency]
    shaped = np.select(told, [_MBPS, _IOPS, _LATENCY], _UNKNOWN)
    return np.where(stated == _UNKNOWN, shaped, stated).astype(np.int8)


def _smalls(heads: Sequence[Head], file: Array, column: Array) -> Array:
    """Return the small I/Os of cells by file and column; files that share a head share its labels."""
    places: dict[int, int] = {}
    labels: list[int] = []
    for head in heads:
        if id(head) not in places:
            places[id(head)] = len(labels)
            labels += head.smalls
    begin = np.array([places[id(head)] for head in heads])
    small: Array = np.array(labels, np.int32)[begin[file] + column]
    return small
