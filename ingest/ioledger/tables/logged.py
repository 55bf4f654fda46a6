"""Histogram logs as rows of the table ``latency_bins``: those of the runs they belong to."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.model import Reading
    from ioledger.tables.columns import Run

BINS = ("result_id", "latency_kind", "latency_low_seconds", "latency_high_seconds", "operation_count")


def logged(
    result_ids: Iterable[str | None], kinds: Iterable[str | None], logs: Iterable[tuple[Run, Reading]]
) -> list[dict[str, Any]]:
    """
    Return the rows that histogram logs add to the table latency_bins, summed over the processes of a run.

    ``result_ids`` and ``kinds`` are those of the bins that reports have. A run whose report has a histogram of the same
    latency keeps that one alone: the log repeats it in time.
    """
    reported = set(zip(result_ids, kinds, strict=True))
    counts: dict[tuple[Any, ...], int] = defaultdict(int)
    for run, reading in logs:
        for identifier, kind, low, high, count in _logged(run, reading):
            if (identifier, kind) not in reported:
                counts[identifier, kind, low, high] += count
    return [dict(zip(BINS, (*key, count), strict=True)) for key, count in counts.items()]


def _logged(run: Run, reading: Reading) -> Iterator[tuple[str, str, float, float | None, int]]:
    """Yield the bins of a histogram log with the id of the result; none of those that hold too much."""
    spoilt = {finding.pointer for finding in reading.warnings if finding.rule == "R-READ-5"}
    for result in reading.results:
        identifier = run.result_id(result.operation)
        if identifier is not None and result.pointer not in spoilt:
            for kind, bins in result.bins.items():
                yield from ((identifier, kind, *each) for each in bins.rows())
