"""
ORION's latency histograms: power-of-two bins in microseconds, with running shares of reads and of writes.

The last bin is open: its printed end, 2^28 microseconds, is no measured edge.
"""

from __future__ import annotations

from itertools import accumulate
from operator import add, eq, gt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.readers.orion.report import Bin, Headline, Report

OPEN_EDGE = 1 << 28
_MICRO, _ROUNDING = 1e-6, 0.011
Bins = dict[str, list[tuple[float, float | None, int]]]


def bins_of(headline: Headline, operation: str, report: Report) -> Bins:
    """Return the filled bins of an operation (reads and writes together for ``mixed``), by latency kind."""
    rows = headline.bins
    if not rows or not _is_sound(rows, report):
        return {}
    reads, writes = ([row.reads for row in rows], [row.writes for row in rows])
    counts = {"read": reads, "write": writes}.get(operation) or list(map(add, reads, writes))
    filled = [
        (row.low * _MICRO, None if row.high >= OPEN_EDGE else row.high * _MICRO, count)
        for row, count in zip(rows, counts, strict=True)
        if count
    ]
    return {"total": filled} if filled else {}


def _is_sound(rows: list[Bin], report: Report) -> bool:
    """Say whether the edges rise, and note where a running share is not that of the counts."""
    edges = [edge for row in rows for edge in (row.low, row.high)]
    if any(map(gt, edges, edges[1:])) or any(map(eq, edges[::2], edges[1::2])):
        report.warn(rows[0].line, "histogram left out: its bins overlap", "R-ORION-14")
        return False
    columns = (
        ([row.reads for row in rows], [row.read_percent for row in rows]),
        ([row.writes for row in rows], [row.write_percent for row in rows]),
    )
    for counts, shares in columns:
        total = sum(counts)
        for row, running, share in zip(rows, accumulate(counts), shares, strict=True) if total else ():
            if abs(100 * running / total - float(share)) > _ROUNDING:
                report.warn(row.line, f"the running share {share} % is not that of the counts", "R-ORION-14")
                return True
    return True
