"""
Latency statistics and percentiles of a JSON report, in seconds.

Zero means not measured: ``gtod_reduce`` and ``disable_lat`` leave zeros behind. Source: fio's ``stat.c``,
``add_ddir_lat_json()``, and HOWTO, "Interpreting the output".
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from ioledger.readers.fio.json_shape import ABSENT

if TYPE_CHECKING:
    from ioledger.readers.fio.json_shape import Direction, Latency

NANO, MICRO = 1e9, 1e6
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,30})?")


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
    def has_bins(self) -> bool:
        """Say whether the report keeps a histogram, as json+ does."""
        return has_bins(self.total) or has_bins(self.completion) or has_bins(self.submission)

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
    if not is_total_kept and (not has_bins(total) or has_bins(completion)):
        return False
    total.percentile, completion.percentile = completion.percentile, None
    if has_bins(completion) and not has_bins(total):
        total.bins, completion.bins = completion.bins, total.bins
    return True


def has_bins(latency: Latency | None) -> bool:
    """Say whether a latency has a histogram."""
    return latency is not None and latency.bins is not ABSENT


def is_measured(latency: Latency | None) -> bool:
    """Say whether the statistics are more than the zeros of a latency that was not measured."""
    return latency is not None and bool(latency.mean or latency.max)


@lru_cache(1024)
def ratios(keys: tuple[str, ...]) -> tuple[tuple[float, ...], bool]:
    """Return the ratios of percentile keys (``"99.000000"`` is 0.99), and whether all are ratios and rise."""
    found = tuple(round(float(key) / 100, 12) if _NUMBER.fullmatch(key) else -1.0 for key in keys)
    return found, found[0] > 0 and found[-1] <= 1 and all(one < other for one, other in pairwise(found))


def percentiles(latency: Latency | None, per_second: float) -> dict[float, float]:
    """Return ratio and seconds of each percentile; all zero means that none were kept, ``"0.00"`` is an unused slot."""
    if latency is None or not latency.percentile:
        return {}
    shares, is_sound = ratios(tuple(latency.percentile))
    values = [value / per_second for value in latency.percentile.values()]
    if not any(values):
        return {}
    found = zip(shares, values, strict=True)
    return dict(found if is_sound else sorted((share, value) for share, value in found if 0 < share <= 1))


def all_percentiles(parts: Parts) -> dict[str, dict[float, float]]:
    """Return the percentiles of every kind that has any."""
    found = {}
    for kind, latency in parts.kinds:
        if latency is not None and latency.percentile and (reported := percentiles(latency, parts.per_second)):
            found[kind] = reported
    return found
