"""
The same run twice: the same bytes in two places, or the same measured values in files of different bytes.

A run whose file was saved again, reformatted or edited keeps its counts and times. Two measured results that agree in
operations, bytes, duration and mean latency are the same run: with thousands of operations, chance does not do that.

A file without results, such as the claims of a publication, may stand in a submission and again in the one that takes
its place: a correction carries everything that was right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.problems import Problem
from ioledger.submission import known
from ioledger.submission.shape import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.submission.gather import FileRead, Gathered
    from ioledger.submission.known import Known, Status, Values

    Stands = tuple[str, str]
    """Where a file stands: its submission and its path there."""


def problems(
    gathered: Gathered, shown: dict[str, str], roles: frozenset[str], others: Known = known.NOTHING
) -> Iterator[Problem]:
    """
    Report files that stand twice and runs that stand twice, each at the later one.

    ``shown`` is the name of each submission in messages; only files of the given roles count. ``others`` are
    submissions that were not gathered because they are known; they stand first.
    """
    lines = {submission.id: submission.lines for submission in gathered.submissions}
    reads = [read for read in gathered.files if read.entry.get("role", "result") in roles]
    by_hash, by_run = _known(reads, others)
    states = others.states | {each.id: each.manifest.get("status", {}) for each in gathered.submissions}
    for read in reads:
        here = (read.submission_id, read.entry["path"])
        same = by_hash.setdefault(read.sha256, here)
        place = str(line_of(("files", read.index, "path"), lines[read.submission_id]))
        file = f"{shown[read.submission_id]}/manifest.yaml"
        if same != here and not (read.reading and read.reading.results) and _takes_its_place(here[0], same[0], states):
            by_hash[read.sha256] = here
            continue
        if same != here:
            what = f"{here[1]} is the same file as {shown[same[0]]}/{same[1]}"
            yield Problem(file, place, what, "Remove it; a run counts once.", "R-FILE-7")
            continue
        first = _first_with_these_runs(read, here, by_run)
        if first is not None:
            what = f"{here[1]} holds a run of {shown[first[0]]}/{first[1]}"
            yield Problem(file, place, what, "Remove it; a run counts once, however it was saved.", "R-FILE-9")


def _takes_its_place(one: str, other: str, states: dict[str, Status]) -> bool:
    """Say whether one of two submissions leads to the other by way of ``superseded_by``."""
    for first, last in ((one, other), (other, one)):
        seen = {first}
        while (successor := states.get(first, {}).get("superseded_by")) is not None and successor not in seen:
            if successor == last:
                return True
            seen.add(first := successor)
    return False


def _known(reads: list[FileRead], others: Known) -> tuple[dict[str, Stands], dict[Values, Stands]]:
    """Return where the same bytes and the same runs stand among the submissions that are known."""
    hashes = {read.sha256 for read in reads} if others.states else set()
    runs = {run for read in reads for run in _runs(read)} if others.states else set()
    by_hash: dict[str, Stands] = {}
    by_run: dict[Values, Stands] = {}
    for place in known.places(others, hashes, runs):
        by_hash.setdefault(place.sha256, (place.submission_id, place.path))
        if place.values is not None:
            by_run.setdefault(place.values, (place.submission_id, place.path))
    return by_hash, by_run


def _first_with_these_runs(read: FileRead, here: Stands, by_run: dict[Values, Stands]) -> Stands | None:
    """Remember the runs of a file and return where another file has one of them already."""
    found = None
    for run in _runs(read):
        first = by_run.setdefault(run, here)
        found = found or (first if first != here else None)
    return found


def _runs(read: FileRead) -> Iterator[Values]:
    for result in read.reading.results if read.reading else ():
        values = known.values_of(result)
        if values is not None:
            yield values
