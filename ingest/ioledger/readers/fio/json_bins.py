"""
The histograms of json+ as bins with edges in seconds.

fio keeps 64 bins per power of two; values below 128 have bins of their own. A key is the middle of its bin, or in early
2.x its index. The last bin, index 1855 in nanoseconds (2.99 and later) and 1215 in microseconds, is open.
Source: fio's ``stat.h`` (``FIO_IO_U_PLAT_BITS``, ``FIO_IO_U_PLAT_GROUP_NR``) and ``stat.c``, ``plat_val_to_idx()`` and
``plat_idx_to_val()``.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.readers.fio.json_latency import MICRO, NANO, has_bins, is_measured
from ioledger.readers.fio.json_shape import ABSENT, BINS, NAMED_BINS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ioledger.readers.fio.json_latency import Parts
    from ioledger.readers.fio.json_shape import Latency

Bins = list[tuple[float, float | None, int]]
_EXACT_BELOW, _BITS = 128, 6
_LONGEST_INDEX = len("1855")
LAST = {NANO: (127 << 27) + (1 << 26), MICRO: (127 << 17) + (1 << 16)}
"""Middle of the last bin by unit."""
_KNOWN: dict[float, dict[int, tuple[float, float | None]]] = {NANO: {}, MICRO: {}}
"""Bin edges in seconds by unit and histogram key, remembered because every result shares them."""


def _edges(key: int, per_second: float) -> tuple[float, float | None]:
    """
    Return the edges in seconds of the bin whose middle is a key; the upper one is null for the open last bin.

    Raises ValueError for a key that is the middle of no bin.
    """
    last = LAST[per_second]
    width = 1 if key < _EXACT_BELOW else 1 << (key.bit_length() - 1 - _BITS)
    low = key // width * width
    if not 0 <= key <= last or key != low + width // 2:
        raise ValueError(key)
    return low / per_second, None if key == last else (low + width) / per_second


def kept(parts: Parts) -> dict[str, Bins]:
    """Return the bins of every kind of latency that has any."""
    found = ((kind, bins(latency, parts.per_second)) for kind, latency in parts.kinds)
    return {kind: filled for kind, filled in found if filled}


def lost(parts: Parts, found: Mapping[str, Bins]) -> list[str]:
    """Return the kinds of latency whose histogram is in the report, but could not be kept."""
    return [kind for kind, latency in parts.kinds if has_bins(latency) and is_measured(latency) and kind not in found]


def bins(latency: Latency | None, per_second: float) -> Bins:
    """Return the filled bins of a histogram in order, as lower edge, upper edge and count; none if it is not fio's."""
    if latency is None or latency.bins is ABSENT:
        return []
    try:
        counts = _counts(latency.bins)
    except (msgspec.MsgspecError, ValueError):
        return []
    keys = sorted(counts)
    if 0 in counts.values() or keys != list(counts):
        counts = {key: counts[key] for key in keys if counts[key]}
    try:
        return _joined(_KNOWN[per_second], counts)
    except KeyError:
        return _joined(known, counts) if (known := _learnt(keys, per_second)) else []


def _counts(raw: msgspec.Raw) -> dict[int, int]:
    """
    Return the count of each bin by its middle.

    In early 2.x (2.8 and 2.15, no longer in 2.20) the keys are the indexes of the bins, all of them, and the constants
    of the scale stand among them. Source: fio's ``stat.c`` at fio-2.8, ``add_ddir_status_json()``.
    """
    try:
        return BINS.decode(raw)
    except msgspec.ValidationError:
        named = NAMED_BINS.decode(raw)
    if named.get("FIO_IO_U_PLAT_BITS") != _BITS:
        raise ValueError(named)
    return {_middle(key): count for key, count in named.items() if not key.startswith("FIO_")}


def _middle(text: str) -> int:
    """Return the middle of a bin by its index, as ``plat_idx_to_val()`` does; ValueError when it is no index."""
    index = int(text) if len(text) <= _LONGEST_INDEX else -1
    if index < 0:
        raise ValueError(text)
    if index < _EXACT_BELOW:
        return index
    error = (index >> _BITS) - 1
    return ((index & 63) + 64 << error) + (1 << error) // 2


def _learnt(keys: list[int], per_second: float) -> dict[int, tuple[float, float | None]]:
    """Return the edges of all bins known so far and of these; none when a key is the middle of no bin."""
    try:
        _KNOWN[per_second] |= {key: _edges(key, per_second) for key in keys}
    except ValueError:
        return {}
    return _KNOWN[per_second]


def _joined(edges: dict[int, tuple[float, float | None]], counts: dict[int, int]) -> Bins:
    """Return the edges of each key with its count: tuples are joined without a step of Python for each bin."""
    joined: Iterable[Any] = map(add, map(edges.__getitem__, counts), zip(counts.values(), strict=True))
    return list(joined)
