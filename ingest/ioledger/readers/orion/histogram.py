"""
ORION's latency histograms: power-of-two bins in microseconds, with running shares of reads and of writes.

The last bin is open: its printed end, 2^28 microseconds, is no measured edge.
"""

from __future__ import annotations

from itertools import accumulate
from operator import add, le, lt
from typing import TYPE_CHECKING

from ioledger.readers.base import Bins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.readers.orion.report import Headline, Report

OPEN_EDGE = 1 << 28
_MICRO, _ROUNDING = 1e-6, 0.011


def bins_of(headline: Headline, operation: str, report: Report) -> dict[str, Bins]:
    """Return the filled bins of an operation (reads and writes together for ``mixed``), by latency kind."""
    if not headline.bins:
        return {}
    lines, lows, highs, *shares = zip(*headline.bins, strict=True)
    low, high, reads, writes = (list(map(int, texts)) for texts in (lows, highs, shares[0], shares[2]))
    if not (all(map(lt, low, high)) and all(map(le, high, low[1:]))):
        report.warn(lines[0], "histogram left out: its bins overlap", "R-ORION-14")
        return {}
    for counts, percents in ((reads, shares[1]), (writes, shares[3])):
        if (row := _first_off(counts, percents)) is not None:
            what = f"the running share {percents[row]} % is not that of the counts"
            report.warn(lines[row], what, "R-ORION-14")
            break
    counts = {"read": reads, "write": writes}.get(operation) or list(map(add, reads, writes))
    filled = [
        (start * _MICRO, None if end >= OPEN_EDGE else end * _MICRO, count)
        for start, end, count in zip(low, high, counts, strict=True)
        if count
    ]
    return {"total": Bins.of(filled)} if filled else {}


def _first_off(counts: list[int], percents: Sequence[str]) -> int | None:
    """Return the first row whose running share is not that of the counts, if there is one."""
    total = sum(counts)
    if not total:
        return None
    running = zip(accumulate(counts), map(float, percents), strict=True)
    is_off = [abs(100 * count / total - percent) > _ROUNDING for count, percent in running]
    return is_off.index(True) if any(is_off) else None
