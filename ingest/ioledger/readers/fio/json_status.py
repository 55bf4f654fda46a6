"""
Reports of one run that follow each other in a file (``--status-interval``).

They are cumulative: a later one continues the counters of an earlier one, and was written before a new run of its
length could have ended. The last is the result, the others are partial. Reports of separate runs in one file are all
results; a report that stands twice, letter by letter, counts once.
Source: fio's HOWTO, ``--status-interval``; ``stat.c``, ``__show_running_run_stats()``.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from ioledger.readers.fio.json_shape import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ioledger.readers.fio.json_documents import Report
    from ioledger.readers.fio.json_shape import Direction, Document, Job

_MILLI = 1000


def repeated(reports: Sequence[Report]) -> set[int]:
    """Return the indexes of reports that stand earlier in the file, letter by letter."""
    first: dict[bytes, int] = {}
    return {index for index, report in enumerate(reports) if first.setdefault(report.text, index) != index}


def partial(reports: Sequence[Report], left_out: set[int]) -> set[int]:
    """Return the indexes of reports that the next one continues."""
    kept = [index for index in range(len(reports)) if index not in left_out]
    return {one for one, other in pairwise(kept) if _continues(reports[one].document, reports[other].document)}


def _continues(earlier: Document, later: Document) -> bool:
    before, after = _counters(earlier), _counters(later)
    if before.keys() != after.keys() or not before or not _same_time(earlier, later):
        return False
    return all(
        start in {0, after[key][0]} and all(a <= b for a, b in zip(counts, after[key][1], strict=True))
        for key, (start, counts) in before.items()
    )


def _same_time(earlier: Document, later: Document) -> bool:
    """Say whether a second run of the later report's length could not have taken place after the earlier report."""
    if earlier.timestamp is None or later.timestamp is None:
        return True
    step = later.timestamp * _MILLI - earlier.timestamp * _MILLI - _MILLI
    if earlier.timestamp_ms is not None and later.timestamp_ms is not None:
        step = later.timestamp_ms - earlier.timestamp_ms
    jobs = later.jobs + later.client_stats
    longest = max((part.runtime or 0 for job in jobs for part in _directions(job)), default=0)
    return -_MILLI <= step < max(longest, 1)


def _counters(document: Document) -> dict[Hashable, tuple[int, tuple[float, ...]]]:
    """Return each job's start and the counters that only grow, by a key that is stable between reports."""
    found: dict[Hashable, tuple[int, tuple[float, ...]]] = {}
    seen: Counter[Hashable] = Counter()
    for job in document.jobs + document.client_stats:
        name = (job.jobname, job.groupid, job.hostname, job.port)
        seen[name] += 1
        counts = tuple(
            float(value or 0)
            for operation in OPERATIONS
            for part in (getattr(job, operation),)
            for value in ((part.runtime, part.io_bytes, part.total_ios) if part else (0, 0, 0))
        )
        found[name, seen[name]] = (job.job_start or 0, counts)
    return found


def _directions(job: Job) -> list[Direction]:
    return [part for operation in OPERATIONS if (part := getattr(job, operation)) is not None]
