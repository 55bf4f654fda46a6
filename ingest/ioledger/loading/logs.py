"""
Logs and the runs they belong to.

Logs of fio name neither their run nor their job. In a submission the manifest's entry of a log says ``run: <result
file>`` and, where that file has several repetitions, ``point: <pointer>``; outside of one the log's name tells it, by
what the report beside it states (:mod:`ioledger.loading.joined`). A log repeats in time what its run sums up: of
its content samples become rows, and histograms where the run's report has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.model import Finding
from ioledger.tables.columns import Run

if TYPE_CHECKING:
    from ioledger.model import Reading

EXCESS = 1.05
"""A log may hold a few operations more than its run counts: those of the ramp's end and of the last interval."""


def repetitions(reading: Reading) -> list[str]:
    """Return the repetitions of a file in order, without those that a later one continues."""
    return list(dict.fromkeys(result.repetition for result in reading.results if not result.is_partial))


def run_of(reading: Reading, sha256: str, repetition: str, *, is_published: bool) -> Run:
    """Return a repetition of a file; results of files that only prepare are not published and have no id."""
    found = [result for result in reading.results if result.repetition == repetition and not result.is_partial]
    return Run(
        sha256=sha256,
        repetition=repetition,
        pointers={result.operation: result.pointer for result in found} if is_published else {},
        counts={result.operation: result.operation_count for result in found if result.operation_count},
    )


def excess(reading: Reading, run: Run) -> list[Finding]:
    """Return a finding for each histogram of a log that holds more operations than its run completed."""
    return [
        Finding(
            "R-READ-5",
            f"the log holds {held:,} operations, its run completed {count:,}",
            result.pointer,
            {"log_operation_count": held, "run_operation_count": count},
        )
        for result in reading.results
        if (held := result.latency_sample_count or 0) > EXCESS * (count := run.counts.get(result.operation, held))
    ]
