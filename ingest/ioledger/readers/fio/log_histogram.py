"""
fio's histogram logs (``write_hist_log``): one line per interval and direction with the counts of all bins.

fio 2.x has 19 groups of 64 bins in microseconds, fio 3.x 29 groups in nanoseconds; ``log_hist_coarseness`` joins
neighbours by powers of two. The number of bins therefore tells the unit. Bins are counts of the interval.
Source: fio's ``stat.h`` ("Aggregate clat samples") and ``stat.c``, ``plat_idx_to_val()``; ``iolog.c``,
``flush_hist_samples()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.base import Bins, Refusal, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OPERATIONS = ("read", "write", "trim")
_GROUP_BITS, _GROUP = 6, 64
_MOST_PER_SECOND = 10**9
"""No thread completes an operation per nanosecond; larger counts are uninitialised memory."""
_MILLI = 1000

SHAPES = {
    groups * _GROUP >> coarse: (groups * _GROUP, coarse, unit)
    for groups, unit in ((19, 1e6), (29, 1e9))
    for coarse in range(_GROUP_BITS + 1)
}
"""Number of bins → number of fine bins, coarseness, ticks per second."""


def low_edge(index: int) -> int:
    """Return the lower edge of a fine bin, in ticks: single values up to 127, then 64 bins per power of two."""
    if index < 2 * _GROUP:
        return index
    shift = (index >> _GROUP_BITS) - 1
    return (_GROUP + index % _GROUP) << shift


def edges(bin_count: int) -> list[tuple[float, float | None]]:
    """Return the edges of every bin of a log in seconds; the last bin is open."""
    fine, coarse, unit = SHAPES[bin_count]
    lows = [low_edge(index) / unit for index in range(0, fine, 1 << coarse)]
    return list(zip(lows, [*lows[1:], None], strict=True))


def results(rows: Iterable[tuple[int, list[int]]], bin_count: int) -> Iterator[Result | Refusal]:
    """
    Sum the intervals of each direction: one result with completion bins, or a refusal that names the spoilt line.

    A row is its line number and its numbers: milliseconds, direction, block size, then the bins. The results state no
    rate: the report of the run does.
    """
    totals: dict[int, list[int]] = {}
    first: dict[int, int] = {}
    spoilt: dict[int, int] = {}
    lasts: dict[int, int] = {}
    for line, (time, direction, _, *counts) in rows:
        elapsed = max(time - lasts.get(direction, 0), 1)
        if sum(counts) * _MILLI > _MOST_PER_SECOND * elapsed:
            spoilt.setdefault(direction, line)
        total = totals.setdefault(direction, [0] * bin_count)
        totals[direction] = [a + b for a, b in zip(total, counts, strict=True)]
        first.setdefault(direction, line)
        lasts[direction] = max(time, lasts.get(direction, 0))
    for direction in sorted(totals):
        if direction in spoilt:
            yield _refusal(spoilt[direction], direction)
        elif any(totals[direction]):
            yield _result(direction, first[direction], lasts[direction], totals[direction])


def _result(direction: int, line: int, last: int, counts: list[int]) -> Result:
    bins = [(low, high, count) for (low, high), count in zip(edges(len(counts)), counts, strict=True) if count]
    return Result(
        pointer=f"line {line}, {OPERATIONS[direction]}",
        repetition=f"line {line}",
        source_format="histogram log",
        operation=OPERATIONS[direction],
        is_canonical=False,
        duration_seconds=last / _MILLI or None,
        latency_sample_count=sum(counts),
        latency_resolution_seconds=1 / SHAPES[len(counts)][2],
        bins={"completion": Bins.of(bins)},
    )


def _refusal(line: int, direction: int) -> Refusal:
    what = f"the {OPERATIONS[direction]} histogram holds counts that no run can reach (uninitialised memory)"
    remedy = "Leave the log out, or repeat the run with a fio that does not write it so (see its changes to hist logs)."
    return Refusal(f"line {line}", what, remedy, "R-FIO-HIST-1")
