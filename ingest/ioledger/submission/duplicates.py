"""
The same run twice: the same bytes in two places, or the same measured values in files of different bytes.

A run whose file was saved again or reformatted keeps its operations, bytes, duration and mean latency to the last digit
(:func:`run_key`); near values prove nothing. Only what is published as measured is compared. A file without results,
such as the claims of a publication, may be in a submission and again in the one that replaces it. Each raw file of an
excerpt counts as a file of its submission.

To check one folder the other submissions need not be read again: the raw tables of the last build have their files and
runs. A submission counts as built while its manifest has the bytes that the build saw; every other one is read.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ioledger.submission.files import READ_ROLES
from ioledger.submission.manifest import NAME, successors
from ioledger.tables.columns import result_repetition_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ioledger.problems import Problem
    from ioledger.submission.files import FileRead, Gathered

    Place = tuple[str, str]
    """A submission, and the path of a file in it."""

UNIQUE_ROLES = READ_ROLES - {"preparation"}
MEASURES = ("operation_count", "transferred_bytes", "duration_seconds", "latency_mean_seconds")
"""Columns of a result that are equal to the last digit in copies of one run, and in no other."""
Status = dict[str, str]


class Built(NamedTuple):
    """Submissions that need not be read: the state of each by name, and the folder of their raw tables."""

    states: dict[str, Status]
    tables: Path | None = None


NOTHING = Built({})


class Run(NamedTuple):
    """A measured result: its place, the key of its values (:func:`run_key`), and the repetition that it belongs to."""

    place: Place
    pointer: str
    key: str
    repetition_id: str
    is_excerpt: bool

    @property
    def document(self) -> tuple[Place, str]:
        """The report in a file of several, or the line of a table."""
        return self.place, self.pointer.partition("#")[0]


def run_key(values: Iterable[float | None]) -> str | None:
    """Return a text that is equal for copies of a run, of the values of :data:`MEASURES`; null where one is missing."""
    known = [value for value in values if value is not None]
    return " ".join(map(repr, map(float, known))) if len(known) == len(MEASURES) else None


def find_duplicates(gathered: Gathered, others: Built = NOTHING) -> Iterator[tuple[str, str, Problem]]:
    """
    Give the submission of each file or run that stands twice, the one that has it first, and the problem at the later.

    ``others`` were not gathered and stand first.
    """
    submissions = {submission.id: submission for submission in gathered.submissions}
    states = others.states | {identity: each.status for identity, each in submissions.items()}
    reads = [read for read in gathered.files if read.role in UNIQUE_ROLES]
    origins = {  # by the hash of each raw file that a file was excerpted from, its path
        read.file_id: {each.origin.sha256: each.origin.path for each in read.results if each.origin} for read in reads
    }
    runs = [run for read in reads for run in _list_runs(read)]
    by_hash, built = _load_built({read.sha256 for read in reads}.union(*origins.values()), runs, others)
    copied = _find_copies([*built, *runs], states)
    for read in reads:
        here = read.submission_id, read.path
        same = by_hash.setdefault(read.sha256, here)
        if same != here and not read.results and _takes_its_place(here[0], same[0], states):
            by_hash[read.sha256] = here
            continue
        firsts = {sha256: by_hash.setdefault(sha256, here) for sha256 in origins[read.file_id]}
        elsewhere = {sha256: place for sha256, place in firsts.items() if place[0] != here[0]}
        if elsewhere and all(_takes_its_place(here[0], place[0], states) for place in elsewhere.values()):
            continue  # rows of the one that is superseded are left out
        run, second = copied.get(here, (None, None))
        first = same if same != here else next(iter(elsewhere.values()), run and run.place)
        if first is None:
            continue
        at = f"{first[0] if first[0] in others.states else submissions[first[0]].shown}/{first[1]}"
        rule = "R-FILE-7"
        if same != here:
            what = f"{read.path} is the same file as {at}"
        elif elsewhere:
            more = f", and {len(elsewhere) - 1} more files" * (len(elsewhere) > 1)
            origin = origins[read.file_id][next(iter(elsewhere))]
            what = f"{read.path} contains results of {origin}{more}, which are also in {at}"
        elif run is not None and second is not None:
            rule, at = "R-FILE-9", "the same file" if first == here else at
            equal = "operations, bytes, duration and mean latency are equal"
            what = f"{read.path} ({second.pointer}) is a copy of a run in {at} ({run.pointer}): {equal}"
        problem = submissions[here[0]].problem
        yield here[0], first[0], problem(("files", read.index, "path"), what, "Remove it; a run counts once.", rule)


def _find_copies(runs: list[Run], states: dict[str, Status]) -> dict[Place, tuple[Run, Run]]:
    """Return by file its first run that stands before, behind the one that it is a copy of."""
    firsts: dict[str, Run] = {}
    found: dict[Place, tuple[Run, Run]] = {}
    for run in runs:
        first = firsts.setdefault(run.key, run)
        # reads and writes of one run are no two runs, nor are the total of a document and the only target that wrote
        is_one = run.repetition_id == first.repetition_id or run.document == first.document
        corrects = first.is_excerpt and run.is_excerpt and _takes_its_place(first.place[0], run.place[0], states)
        if not is_one and not corrects:
            found.setdefault(run.place, (first, run))
    return found


def _takes_its_place(one: str, other: str, states: Mapping[str, Status]) -> bool:
    """Say whether one of two submissions leads to the other by way of ``superseded_by``."""
    return other in successors(one, states) or one in successors(other, states)


def _list_runs(read: FileRead) -> Iterator[Run]:
    """Give each measured result of a file that has a key."""
    for result in read.results:
        key = run_key(getattr(result, name) for name in MEASURES)
        if key is not None:
            repetition_id, is_excerpt = result_repetition_id(read.sha256, result), result.origin is not None
            yield Run((read.submission_id, read.path), result.pointer, key, repetition_id, is_excerpt)


def _load_built(hashes: set[str], own: Sequence[Run], others: Built) -> tuple[dict[str, Place], list[Run]]:
    """Return where bytes with these hashes stand among the submissions that were built, and the runs with own keys."""
    by_hash: dict[str, Place] = {}
    runs: list[Run] = []
    if others.tables is None or not (others.states and hashes):
        return by_hash, runs
    wanted = pa.array(list(hashes), pa.string())
    is_other = pc.field("submission_id").isin(pa.array(list(others.states), pa.string()))
    same = pc.field("source_sha256").isin(wanted) & pc.field("role").isin(list(UNIQUE_ROLES))
    names = ["submission_id", "path", "source_sha256"]
    for row in pq.read_table(others.tables / "files.parquet", columns=names, filters=is_other & same).to_pylist():
        by_hash.setdefault(row["source_sha256"], (row["submission_id"], row["path"]))
    keys = {run.key for run in own}
    counts = pa.array([int(float(key.partition(" ")[0])) for key in keys], pa.int64())
    same = pc.field("operation_count").isin(counts) | pc.field("origin_sha256").isin(wanted)
    names = ["submission_id", "source_path", "source_pointer", "repetition_id", "origin_sha256", *MEASURES]
    for row in pq.read_table(others.tables / "results.parquet", columns=names, filters=is_other & same).to_pylist():
        place, origin = (row["submission_id"], row["source_path"]), row["origin_sha256"]
        if origin in hashes:
            by_hash.setdefault(origin, place)
        if (key := run_key(row[name] for name in MEASURES)) in keys and key is not None:
            runs.append(Run(place, row["source_pointer"], key, row["repetition_id"], origin is not None))
    return by_hash, runs


def states_of(submissions: pa.Table) -> dict[str, Status]:
    """Return the state of every row of the raw table of submissions, by name."""
    rows = submissions.select(["submission_id", "status", "superseded_by"]).to_pylist()
    return {
        row["submission_id"]: {"state": row["status"]}
        | ({"superseded_by": row["superseded_by"]} if row["superseded_by"] else {})
        for row in rows
    }


def load_built(folders: Iterable[Path], tables: Path) -> Built:
    """Return which of these folders the raw tables of a build have as they are now; none without usable tables."""
    try:
        submissions = pq.read_table(tables / "submissions.parquet")
        rows = submissions.select(["submission_id", "manifest_sha256"]).to_pylist()
    except (OSError, KeyError, ValueError, pa.ArrowException):
        return NOTHING
    states, hashes = states_of(submissions), {row["submission_id"]: row["manifest_sha256"] for row in rows}
    same = (
        folder.name for folder in folders
        if folder.name in hashes and (folder / NAME).is_file()
        and hashlib.sha256((folder / NAME).read_bytes()).hexdigest() == hashes[folder.name]
    )  # fmt: skip
    return Built({name: states[name] for name in same}, tables)
