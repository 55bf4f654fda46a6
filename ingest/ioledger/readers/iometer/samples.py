"""
Updates of an instantaneous file as samples: IOPS, throughput and mean latency of all workers together over time.

Iometer writes one row per worker and update, a few milliseconds apart. One round of workers is one sample: rates add
up, latencies are weighted with the I/Os. Updates may also be set to count from the start of the run; such rows
grow towards the final row and are no samples. At the end come rows of the whole run; only those name their access
specification. Source: ``Worker.cpp``, ``UpdateResults()``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.readers.base import Finding
from ioledger.readers.iometer.header import NOT_A_NUMBER, NUMBER
from ioledger.readers.iometer.parts import STAMP
from ioledger.tables.columns import identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.base import Source
    from ioledger.readers.iometer.header import Header
    from ioledger.readers.iometer.parts import Row, Run

Figures = dict[str, tuple[float, ...]]
Places = list[tuple[str, Callable[[list[str]], tuple[str, ...]]]]
MEBI, MILLI = 1 << 20, 1000
ROUNDS = 4
NONE = (NOT_A_NUMBER,) * 4
_FOUR = re.compile(",".join([NUMBER.pattern] * 4), re.ASCII)
_COLUMNS = {
    "read": ("Read IOps", "Read Binary", "Average Read Response Time", "Read I/Os"),
    "write": ("Write IOps", "Write Binary", "Average Write Response Time", "Write I/Os"),
}


class Update(NamedTuple):
    """A row of an update: its time stamp, its worker, and IOPS, throughput, latency and I/Os by active operation."""

    stamp: str
    name: str
    figures: Figures


def samples(
    run: Run, header: Header, source: Source, point: str, worker_count: int | None
) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Return rows of the table ``samples`` without their index, and why there are none."""
    rounds = _rounds([row for row in run.rows if row.kind == "WORKER" and _is_update(row)], worker_count or 1)
    places: Places = [(of, itemgetter(*(header.places[name] for name in names))) for of, names in _COLUMNS.items()]
    updates = [[_update(row.fields(), places) for row in rows] for rows in rounds]
    start, ends = _instant(run.started), [_instant(workers[-1].stamp) for workers in updates]
    figures = [[update.figures for update in workers] for workers in updates]
    why: tuple[str, str] | None = None
    if start is None or None in ends:
        why = "R-IOMETER-UPDATE-1", "the time stamps of the run on line {} cannot be read"
    elif len({tuple(update.name for update in workers) for workers in updates}) > 1:
        why = "R-IOMETER-UPDATE-2", "the workers of the run on line {} do not take turns"
    elif any(one is NONE for rows in figures for row in rows for one in row.values()):
        why = "R-IOMETER-UPDATE-3", "the updates of the run on line {} hold figures that are no numbers"
    elif _is_cumulative(figures):
        why = "R-IOMETER-UPDATE-4", "the updates of the run on line {} count from its start"
    if why:
        return [], [Finding(why[0], f"{why[1].format(run.line)}, so its updates give no samples", point)]
    repetition_id = identity(source.sha256, f"point {point}")
    found: list[dict[str, Any]] = []
    for end, workers in zip(ends, figures, strict=True):
        common = {"repetition_id": repetition_id, "offset_seconds": round((end or 0.0) - (start or 0.0), 3)}
        found += (common | sample for sample in _of_round(workers))
    return found, []


def _is_update(row: Row) -> bool:
    """Say whether a row is of an update and not of the whole run, by the access specification, its fourth field."""
    return row.text.split(",", 4)[3:4] == [""]


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


def _update(fields: list[str], places: Places) -> Update:
    """Return an update; a blank where an operation has any I/O is no number."""
    found: Figures = {}
    for operation, texts_of in places:
        texts = texts_of(fields)
        if texts[-1] != "0":
            found[operation] = tuple(map(float, texts)) if _FOUR.fullmatch(",".join(texts)) else NONE
    return Update(fields[0], fields[2], found)


def _is_cumulative(rounds: list[list[Figures]]) -> bool:
    counts = [sum(one[3] for row in rows for one in row.values()) for rows in rounds]
    grows = all(a < b for a, b in pairwise(counts))
    return len(counts) >= ROUNDS and grows and counts[-1] > counts[0] * len(counts) / 2


def _of_round(workers: list[Figures]) -> Iterator[dict[str, Any]]:
    """Give IOPS, throughput and latency of one update for each operation that completed any I/O."""
    for operation in _COLUMNS:
        active = [figures[operation] for figures in workers if operation in figures and figures[operation][3]]
        if not active:
            continue
        iops, rate, count = (float(sum(one[at] for one in active)) for at in (0, 1, 3))
        mean = sum(one[2] * one[3] for one in active) / count / MILLI
        yield {"operation": operation, "quantity": "operations", "operations_per_second": iops}
        yield {"operation": operation, "quantity": "throughput", "throughput_bytes_per_second": rate * MEBI}
        yield {"operation": operation, "quantity": "total_latency", "latency_seconds": mean}
