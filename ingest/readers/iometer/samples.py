"""
Updates of an instantaneous file as samples: IOPS, throughput and mean latency of all workers together over time.

Iometer writes one row per worker and update, a few milliseconds apart. One round of workers is one sample: rates add
up, latencies are weighted with the I/Os. Updates may also be set to count from the start of the run; such rows
grow towards the final row and are no samples. Source: ``Worker.cpp``, ``UpdateResults()``.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ingest.columns import identity
from ingest.readers.iometer.header import values
from ingest.readers.iometer.parts import STAMP
from ingest.record import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.readers.iometer.header import Header
    from ingest.readers.iometer.parts import Row, Run
    from ingest.record import Source

MEBI, MILLI = 1 << 20, 1000
ROUNDS = 4
_COLUMNS = {
    "read": ("Read IOps", "Read Binary", "Average Read Response Time", "Read I/Os"),
    "write": ("Write IOps", "Write Binary", "Average Write Response Time", "Write I/Os"),
}


def samples(
    run: Run, header: Header, source: Source, point: str, worker_count: int | None
) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Return rows of the table ``samples`` without their index, and why there are none."""
    rounds = _rounds([row for row in run.rows if row.kind == "WORKER"], worker_count or 1)
    start = _instant(run.started)
    if start is None or any(_instant(row.fields[0]) is None for rows in rounds for row in rows):
        message = f"the time stamps of the run on line {run.line} cannot be read, so its updates give no samples"
        return [], [Finding("R-IOMETER-UPDATE-1", message, point)]
    if len({tuple(row.fields[2] for row in rows) for rows in rounds}) > 1:
        message = f"the workers of the run on line {run.line} do not take turns, so its updates give no samples"
        return [], [Finding("R-IOMETER-UPDATE-2", message, point)]
    if _is_cumulative(rounds, header):
        message = f"the updates of the run on line {run.line} count from its start, so they give no samples"
        return [], [Finding("R-IOMETER-UPDATE-3", message, point)]
    point_id = identity(source.sha256, f"point {point}")
    found: list[dict[str, Any]] = []
    for rows in rounds:
        offset = round((_instant(rows[-1].fields[0]) or start) - start, 3)
        found += ({"point_id": point_id, "offset_seconds": offset, **sample} for sample in _of_round(rows, header))
    return found, []


def _rounds(rows: list[Row], worker_count: int) -> list[list[Row]]:
    """Return the rows of each update: one per worker."""
    return [rows[start : start + worker_count] for start in range(0, len(rows), worker_count)]


@lru_cache(maxsize=4096)
def _instant(stamp: str | None) -> float | None:
    """Return a local time stamp as seconds on a clock without a zone; only differences mean anything."""
    if not stamp or not STAMP.fullmatch(stamp):
        return None
    whole, _, milliseconds = stamp.rpartition(":")
    try:
        passed = datetime.fromisoformat(whole) - datetime(1970, 1, 1)  # noqa: DTZ001  (the file states no zone)
    except ValueError:
        return None
    return passed.total_seconds() + int(milliseconds) / MILLI


def _is_cumulative(rounds: list[list[Row]], header: Header) -> bool:
    counts = []
    for rows in rounds:
        figures = [values(row.fields, header, ("Read I/Os", "Write I/Os")) for row in rows]
        counts.append(sum(value or 0 for row in figures for value in row.values()))
    grows = all(a < b for a, b in pairwise(counts))
    return len(counts) >= ROUNDS and grows and counts[-1] > counts[0] * len(counts) / 2


def _of_round(rows: list[Row], header: Header) -> Iterator[dict[str, Any]]:
    """Give IOPS, throughput and latency of one update for each operation that completed any I/O."""
    for operation, columns in _COLUMNS.items():
        numbers = [tuple(values(row.fields, header, columns).values()) for row in rows]
        known = [(a, b, c, d) for a, b, c, d in numbers if None not in {a, b, c, d}]
        count = sum(d or 0 for *_, d in known)
        if not count > 0:
            continue
        mean = sum((c or 0) * (d or 0) for _, _, c, d in known) / count / MILLI
        common = {"operation": operation}
        yield common | {"quantity": "operations", "operations_per_second": float(sum(a or 0 for a, *_ in known))}
        rate = sum(b or 0 for _, b, *_ in known) * MEBI
        yield common | {"quantity": "throughput", "throughput_bytes_per_second": float(rate)}
        yield common | {"quantity": "total_latency", "latency_seconds": mean}
