"""
The same run twice: the same bytes in two places, or the same measured values in files of different bytes.

A run whose file was saved again, reformatted or edited keeps its counts and times. Two measured results that agree in
operations, bytes, duration and mean latency are the same run: with thousands of operations, chance does not do that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.problems import Problem
from ingest.shape import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.gather import FileRead, Gathered
    from ingest.record import Result

FEWEST_OPERATIONS = 1000
"""A result of fewer operations may agree with another by chance."""


def problems(gathered: Gathered, shown: dict[str, str], roles: frozenset[str]) -> Iterator[Problem]:
    """
    Report files that stand twice and runs that stand twice, each at the later one.

    ``shown`` is the name of each submission in messages; only files of the given roles count.
    """
    lines = {submission.id: submission.lines for submission in gathered.submissions}
    by_hash: dict[str, FileRead] = {}
    by_value: dict[object, FileRead] = {}
    for read in gathered.files:
        if read.entry.get("role", "result") not in roles:
            continue
        same = by_hash.setdefault(read.sha256, read)
        place = str(line_of(("files", read.index, "path"), lines[read.submission_id]))
        file = f"{shown[read.submission_id]}/manifest.yaml"
        if same is not read:
            what = f"{read.entry['path']} is the same file as {shown[same.submission_id]}/{same.entry['path']}"
            yield Problem(file, place, what, "Remove it; a run counts once.", "R-FILE-7")
            continue
        first = _first_with_these_values(read, by_value)
        if first is not None:
            what = f"{read.entry['path']} holds a run of {shown[first.submission_id]}/{first.entry['path']}"
            yield Problem(file, place, what, "Remove it; a run counts once, however it was saved.", "R-FILE-9")


def _first_with_these_values(read: FileRead, by_value: dict[object, FileRead]) -> FileRead | None:
    """Remember the values of a file and return another file that has one of them already."""
    found = None
    for result in read.reading.results if read.reading else ():
        values = _values(result)
        if values is not None:
            first = by_value.setdefault(values, read)
            found = found or (first if first is not read else None)
    return found


def _values(result: Result) -> object | None:
    """Return what identifies a measured result, or None when it states too little."""
    values = (
        result.operation, result.operation_count, result.transferred_bytes, result.duration_seconds,
        result.latency_mean_seconds,
    )  # fmt: skip
    if None in values or result.is_aggregate or (result.operation_count or 0) < FEWEST_OPERATIONS:
        return None
    return values
