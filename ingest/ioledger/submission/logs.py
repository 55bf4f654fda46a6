"""
Logs and the runs they belong to.

Logs of fio name neither their run nor their job, so the manifest's entry of a log says ``run: <result file>`` and,
where that file has several repetitions, ``point: <pointer>``. A log repeats in time what its run sums up: of its
content samples become rows, and histograms where the run's report has none.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.readers.base import Finding
from ioledger.tables.columns import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from ioledger.readers.base import Reading
    from ioledger.tables.files import Place

BINS = ("result_id", "latency_kind", "latency_low_seconds", "latency_high_seconds", "operation_count")
EXCESS = 1.05
"""A log may hold a few operations more than its run counts: those of the ramp's end and of the last interval."""


class Run(msgspec.Struct, frozen=True):
    """The repetition a log belongs to: its file, its name there, and its results, none when they are not published."""

    sha256: str
    repetition: str
    pointers: dict[str, str]
    """Pointer of each result by operation."""
    counts: dict[str, int]
    """Operations by operation, where they are counted."""

    @property
    def repetition_id(self) -> str:
        """The repetition's id in every table."""
        return identity(self.sha256, f"point {self.repetition}")

    def result_id(self, operation: str | None) -> str | None:
        """Return the id of the result of an operation; a run that reports reads and writes together has one for all."""
        only = self.pointers.get("mixed") if len(self.pointers) == 1 else None
        pointer = self.pointers.get(operation or "", only)
        return identity(self.sha256, pointer) if pointer else None

    def ids(self, operation: str | None) -> dict[str, str | None]:
        """Return the ids that a sample of an operation carries."""
        return {"repetition_id": self.repetition_id, "result_id": self.result_id(operation)}


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


def places(reading: Reading, run: Run | None) -> tuple[dict[str, Place], Place]:
    """Return what the pointers in a log stand for, and its other places: they are about the run, if it is tied."""
    if run is None:
        return {}, (None, None)
    return {result.pointer: (run.repetition_id, run.result_id(result.operation)) for result in reading.results}, (
        run.repetition_id,
        None,
    )


def logged(bins: pa.Table, logs: Iterable[tuple[Run, Reading]]) -> list[dict[str, Any]]:
    """
    Return the rows that histogram logs add to the table latency_bins, summed over the processes of a run.

    A run whose report has a histogram of the same latency keeps that one alone: the log repeats it in time.
    """
    reported = set(zip(bins["result_id"].to_pylist(), bins["latency_kind"].to_pylist(), strict=True))
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
