"""
Percentiles and bins of ordinary reports as columns: what ``json_latency`` and ``json_bins`` do, on whole arrays.

Each series of a result and a kind of latency is one stretch of the arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.readers.fio import json_bins, json_latency
from ingest.readers.fio.json_latency import NANO
from ingest.readers.fio.json_numbers import LARGEST
from ingest.readers.fio.json_taken import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.readers.fio import json_taken
    from ingest.readers.fio.json_numbers import Array, Numbers
    from ingest.readers.fio.json_taken import Rows

_WIDTH = 1 / 64
_MANTISSA = 7
"""Bits of a value that say its bin: six within a power of two, and the leading one."""
_FRACTION_BITS, _EXPONENT_BIAS = 52, 1022
"""Of a float of 64 bits (IEEE 754), whose exponent counts the bits of a whole number; faster than taking logarithms."""


class Series(NamedTuple):
    """Stretches of values; ``owner`` and ``kind`` say per value whose it is, ``odd`` names results that need a look."""

    owner: Array
    kind: Array
    columns: dict[str, Array]
    odd: Array


class _Stretches(NamedTuple):
    owner: Array
    kind: Array
    starts: Array
    lengths: Array

    def spread(self, values: Array) -> Array:
        return np.repeat(values, self.lengths)


def percentiles(rows: Rows, numbers: Numbers) -> Series:
    """Return ratio and seconds of every percentile, those of one list of percentiles after the other."""
    highest = np.array([numbers.latency[kind]["max"] for kind in KINDS])
    found = [_alike(keys, series, highest, numbers.longest) for keys, (_, series) in rows.percentiles.items()]
    none = np.empty(0, np.int64)
    empty = Series(none, none, {"percentile_ratio": np.empty(0), "latency_seconds": np.empty(0)}, none)
    owner, kind, columns, odd = zip(empty, *found, strict=True)
    joined = {name: np.concatenate([each[name] for each in columns]) for name in empty.columns}
    made = Series(np.concatenate(owner), np.concatenate(kind), joined, np.concatenate(odd))
    return made if len(found) == 1 else _sorted(made)


def _sorted(series: Series) -> Series:
    """Return series in the order of their results and kinds, as one list of percentiles alone gives them."""
    order = np.argsort(series.owner * len(KINDS) + series.kind, kind="stable")
    columns = {name: column[order] for name, column in series.columns.items()}
    return Series(series.owner[order], series.kind[order], columns, series.odd)


def _alike(keys: tuple[str, ...], series: Sequence[tuple[int, int, bytes]], highest: Array, longest: Array) -> Series:
    """
    Return the series that have these percentiles: a row of values each.

    ``highest`` is the maximum by kind, ``longest`` what no operation exceeds.
    """
    rows, kinds, packed = zip(*series, strict=True)
    owner, kind = np.array(rows, np.int64), np.array(kinds, np.int64)
    values = np.frombuffer(b"".join(packed), np.float64).reshape(len(series), len(keys))
    last = values[:, -1]
    is_odd = (last == 0) | (values[:, 1:] < values[:, :-1]).any(axis=1)
    is_odd |= (kind < len(KINDS) - 1) & (last > highest[kind, owner] * (1 + _WIDTH)) | (last / NANO > longest[owner])
    ratios, is_sound = json_latency.ratios(keys)
    if not is_sound or ratios[0] <= 0:
        is_odd = np.ones(len(series), np.bool_)
    columns = {"percentile_ratio": np.tile(ratios, len(series)), "latency_seconds": values.ravel() / NANO}
    return Series(np.repeat(owner, len(keys)), np.repeat(kind, len(keys)), columns, owner[is_odd])


def bins(rows: Rows, numbers: Numbers) -> Series:
    """Return edges and count of every bin; the upper edge of the open last bin is not a number."""
    at = _stretches(rows.bins)
    middles = np.frombuffer(b"".join(each[3] for each in rows.bins), np.int64)
    counts = np.frombuffer(b"".join(each[4] for each in rows.bins), np.int64)
    low, high, is_middle = _edges(middles)
    behind = np.array([numbers.latency[kind]["count"] for kind in KINDS])[at.kind, at.owner]
    behind = np.where(behind == 0, numbers.direction["total_ios"][at.owner], behind)
    is_odd = _falls(middles, at) | (_sums(counts, at) != behind)
    is_odd |= (
        _sums(~is_middle | (counts <= 0) | (counts > LARGEST) | (low / NANO > at.spread(numbers.longest[at.owner])), at)
        > 0
    )
    columns = {"latency_low_seconds": low / NANO, "latency_high_seconds": high / NANO, "operation_count": counts}
    return Series(at.spread(at.owner), at.spread(at.kind), columns, at.owner[is_odd])


def _edges(middles: Array) -> tuple[Array, Array, Array]:
    """Return the edges in nanoseconds of bins by their middles, and which are middles indeed; see ``json_bins``."""
    last = json_bins.LAST[NANO]
    inside = np.clip(middles, 0, last)
    exponents = inside.astype(np.float64).view(np.int64) >> _FRACTION_BITS
    shifts = np.maximum(exponents - _EXPONENT_BIAS - _MANTISSA, 0)
    low = inside >> shifts << shifts
    widths = np.left_shift(1, shifts)
    high = (low + widths).astype(np.float64)
    high[inside == last] = np.nan
    return low, high, (inside == middles) & (inside - low == widths >> 1)


def _stretches(found: json_taken.Bins) -> _Stretches:
    owner, kind, lengths = (np.array([each[index] for each in found], np.int64) for index in range(3))
    return _Stretches(owner, kind, np.cumsum(lengths) - lengths, lengths)


def _falls(values: Array, at: _Stretches) -> Array:
    """Say which stretches have a value below the one before it."""
    falls = np.diff(values, prepend=values[:1]) < 0
    falls[at.starts] = False
    return _sums(falls, at) > 0


def _sums(values: Array, at: _Stretches) -> Array:
    return np.add.reduceat(values, at.starts, dtype=np.int64) if len(at.starts) else np.empty(0, np.int64)
