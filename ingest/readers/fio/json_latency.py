"""
Latency statistics, percentiles and histogram bins of a JSON report, in seconds.

Zero means not measured: ``gtod_reduce`` and ``disable_lat`` leave zeros behind. A histogram key is the middle of its
bin: 64 bins per power of two, values below 128 exact. The last bin, index 1855 in nanoseconds (2.99 and later) and 1215
in microseconds, is open. Source: fio's ``stat.h`` (``FIO_IO_U_PLAT_BITS``, ``FIO_IO_U_PLAT_GROUP_NR``) and ``stat.c``,
``plat_val_to_idx()`` and ``plat_idx_to_val()``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from ingest.readers.fio.json_shape import BINS

if TYPE_CHECKING:
    from ingest.readers.fio.json_shape import Direction, Latency

NANO, MICRO = 1e9, 1e6
_EXACT_BELOW, _BITS = 128, 6
_LAST = {NANO: (127 << 27) + (1 << 26), MICRO: (127 << 17) + (1 << 16)}
Edges = tuple[float, float | None]
Bins = list[tuple[float, float | None, int]]


class Parts(msgspec.Struct, gc=False):
    """The three latencies of a direction and how many of their units make a second."""

    total: Latency | None
    completion: Latency | None
    submission: Latency | None
    per_second: float

    @property
    def kinds(self) -> tuple[tuple[str, Latency | None], ...]:
        """Return every kind with its statistics."""
        return (("total", self.total), ("completion", self.completion), ("submission", self.submission))

    @property
    def main(self) -> tuple[str | None, Latency | None]:
        """Return the kind and statistics of the latency a result shows: total, else completion."""
        if is_measured(self.total):
            return "total", self.total
        return ("completion", self.completion) if is_measured(self.completion) else (None, None)


def parts(direction: Direction) -> Parts:
    """Return a direction's latencies: nanoseconds when any ``*_ns`` key is there, else microseconds."""
    if direction.lat_ns or direction.clat_ns or direction.slat_ns:
        return Parts(direction.lat_ns, direction.clat_ns, direction.slat_ns, NANO)
    return Parts(direction.lat, direction.clat, direction.slat, MICRO)


def relabelled(direction: Direction, *, is_total_kept: bool) -> bool:
    """
    Put percentiles of total latency back under ``lat`` where fio 3.1 to 3.12 printed them under ``clat``.

    That happened with ``lat_percentiles=1``: the option is stated (``is_total_kept``), or the bins already stand under
    ``lat`` (3.7 to 3.12). Fixed by fio's commit e5eb6fbf. Says whether anything was moved.
    """
    total, completion = direction.lat_ns, direction.clat_ns
    if total is None or completion is None or total.percentile or not completion.percentile:
        return False
    has_bins = (bool(bytes(total.bins)), bool(bytes(completion.bins)))
    if not is_total_kept and has_bins != (True, False):
        return False
    total.percentile, completion.percentile = completion.percentile, None
    if has_bins == (False, True):
        total.bins, completion.bins = completion.bins, total.bins
    return True


def is_measured(latency: Latency | None) -> bool:
    """Say whether the statistics are more than the zeros of a latency that was not measured."""
    return latency is not None and bool(latency.mean or latency.max)


@lru_cache(4096)
def ratio(key: str) -> float:
    """Return a percentile's ratio from its key (``"99.000000"`` is 0.99); a key that is no percentile gives -1."""
    try:
        return round(float(key) / 100, 12)
    except ValueError:
        return -1.0


def percentiles(latency: Latency | None, per_second: float) -> dict[float, float]:
    """Return ratio and seconds of each percentile; all zero means that none were kept, ``"0.00"`` is an unused slot."""
    if latency is None or not latency.percentile:
        return {}
    found = {ratio(key): value / per_second for key, value in latency.percentile.items()}
    if any(found.values()):
        return {share: found[share] for share in sorted(found) if 0 < share <= 1}
    return {}


class Histogram:
    """Bin edges in seconds by histogram key, remembered because every result shares them."""

    def __init__(self, per_second: float) -> None:
        """Take how many units of the keys make a second."""
        self.per_second = per_second
        self.known: dict[int, Edges] = {}

    def edges(self, key: int) -> Edges:
        """Return the lower and upper edge of the bin around a key; the upper one is null for the open last bin."""
        if key not in self.known:
            width = 1 if key < _EXACT_BELOW else 1 << (key.bit_length() - 1 - _BITS)
            low = key // width * width
            high = None if key >= _LAST[self.per_second] else (low + width) / self.per_second
            self.known[key] = (low / self.per_second, high)
        return self.known[key]


_HISTOGRAMS = {unit: Histogram(unit) for unit in (NANO, MICRO)}


def all_percentiles(parts: Parts) -> dict[str, dict[float, float]]:
    """Return the percentiles of every kind that has any."""
    found = ((kind, percentiles(latency, parts.per_second)) for kind, latency in parts.kinds)
    return {kind: reported for kind, reported in found if reported}


def all_bins(parts: Parts) -> dict[str, Bins]:
    """Return the bins of every kind that has any."""
    found = ((kind, bins(latency, parts.per_second)) for kind, latency in parts.kinds)
    return {kind: filled for kind, filled in found if filled}


def bins(latency: Latency | None, per_second: float) -> Bins:
    """Return the filled bins of a histogram in order, as lower edge, upper edge and count."""
    if latency is None or not bytes(latency.bins):
        return []
    try:
        counts = BINS.decode(latency.bins)
    except msgspec.MsgspecError:
        return []
    edges = _HISTOGRAMS[per_second].edges
    return [(*edges(key), count) for key, count in sorted(counts.items()) if count and key >= 0]
