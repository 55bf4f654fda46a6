"""
What a manifest ties together: a result and the job file it was made with, a log and the point of the run it belongs to.

Logs of fio name neither their run nor their job, so the manifest's entry of a log says ``run: <result file>`` and,
where that file has several points, ``point: <pointer>``.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.readers.base import Finding
from ioledger.submission.facts import known
from ioledger.tables.columns import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.readers.base import Reading
    from ioledger.submission.gather import FileRead
    from ioledger.submission.manifest import Submission
    from ioledger.tables.columns import Columns

BINS = ("result_id", "latency_kind", "latency_low_seconds", "latency_high_seconds", "operation_count")
EXCESS = 1.05
"""A log may hold a few operations more than its run counts: those of the ramp's end and of the last interval."""


class Run(msgspec.Struct, frozen=True):
    """The point a log belongs to: its file, its name in the file, and its results, none when they are not published."""

    sha256: str
    repetition: str
    pointers: dict[str, str]
    """Pointer of each result by operation."""
    counts: dict[str, int]
    """Operations by operation, where they are counted."""

    @property
    def repetition_id(self) -> str:
        """Return the point's id in every table."""
        return identity(self.sha256, f"point {self.repetition}")

    def result_id(self, operation: str | None) -> str | None:
        """Return the id of the result of an operation; a run that reports reads and writes together has one for all."""
        only = self.pointers.get("mixed") if len(self.pointers) == 1 else None
        pointer = self.pointers.get(operation or "", only)
        return identity(self.sha256, pointer) if pointer else None


def points(reading: Reading) -> list[str]:
    """Return the points of a file in order, without those that a later one continues."""
    return list(dict.fromkeys(result.repetition for result in reading.results if not result.is_partial))


def run_of(read: FileRead, point: str) -> Run:
    """Return a point of a file that was read; results of files that only prepare are not published and have no id."""
    found = [r for r in read.reading.results if r.repetition == point and not r.is_partial] if read.reading else []
    is_published = read.entry.get("role", "result") == "result"
    return Run(
        sha256=read.sha256,
        repetition=point,
        pointers={result.operation: result.pointer for result in found} if is_published else {},
        counts={result.operation: result.operation_count for result in found if result.operation_count},
    )


def tool_version(submission: Submission, entry: dict[str, Any], run: FileRead | None) -> str | None:
    """Return the version of the tool that wrote a file: its run's, else the one stated for its configuration."""
    if run is not None and run.reading is not None and run.reading.tool_version:
        return run.reading.tool_version
    configuration = submission.manifest["configurations"].get(entry.get("configuration"))
    if configuration is None or "tool_version" not in configuration["software"]:
        return None
    value = known(configuration["software"]["tool_version"], "").value
    return value if isinstance(value, str) else None


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


def tied(row: dict[str, Any], run: Run | None) -> dict[str, Any]:
    """Return a sample of a log with the ids of its point and result."""
    return (
        row if run is None else row | {"repetition_id": run.repetition_id, "result_id": run.result_id(row["operation"])}
    )


def with_logs(bins: Columns, reads: Iterable[FileRead]) -> Columns:
    """
    Return the table latency_bins with the bins of histogram logs, summed over the processes of a run.

    A run whose report has a histogram of the same latency keeps that one alone: the log repeats it in time.
    """
    reported = set(zip(bins["result_id"], bins["latency_kind"], strict=True))
    counts: dict[tuple[Any, ...], int] = defaultdict(int)
    for read in reads:
        for identifier, kind, low, high, count in _logged(read):
            if (identifier, kind) not in reported:
                counts[identifier, kind, low, high] += count
    added = [(*key, count) for key, count in counts.items()]
    return {name: [*bins[name], *(row[index] for row in added)] for index, name in enumerate(BINS)}


def _logged(read: FileRead) -> Iterator[tuple[str, str, float, float | None, int]]:
    """Yield the bins of a histogram log with the id of the result; none of those that hold too much."""
    if read.run is None or read.reading is None:
        return
    spoilt = {finding.pointer for finding in read.reading.warnings if finding.rule == "R-READ-5"}
    for result in read.reading.results:
        identifier = read.run.result_id(result.operation)
        if identifier is not None and result.pointer not in spoilt:
            for kind, bins in result.bins.items():
                yield from ((identifier, kind, *each) for each in bins)
