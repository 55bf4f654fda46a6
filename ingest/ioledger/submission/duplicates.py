"""
The same run twice: the same bytes in two places, or the same measured values in files of different bytes.

A run whose file was saved again, reformatted or edited keeps its counts and times. Two measured results that agree in
operations, bytes, duration and mean latency are the same run: with thousands of operations, chance does not do that.
Only what is published as measured is asked: the same job file in two submissions says that both were measured alike,
and one preparation may stand before several. A file without results, such as the claims of a publication, may stand in
a submission and again in the one that takes its place: a correction carries everything that was right.

An excerpt holds results of raw files that lie elsewhere: each of those counts as a file of its submission, so that one
that is handed in and excerpted, or excerpted by two, is told.

What the other submissions hold need not be read again to check one folder: a build leaves ``build/known/runs.parquet``,
a row per file and per measured run in it. A submission counts as seen while its manifest has the bytes, and this
package the code, that the build saw; every other one is read. So nothing is missed when there is no build, or an old
one; it only takes longer.
"""

from __future__ import annotations

import hashlib
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ioledger.submission.files import READ_ROLES
from ioledger.submission.manifest import NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.problems import Problem
    from ioledger.readers.base import Origin
    from ioledger.submission.files import FileRead, Gathered

    Stands = tuple[str, str]
    """Where a file stands: its submission and its path there."""

PACKAGE = Path(__file__).parents[1]
UNIQUE_ROLES = READ_ROLES - {"preparation"}
PLACE = Path("known") / "runs.parquet"
VALUES = ("operation", "operation_count", "transferred_bytes", "duration_seconds", "latency_mean_seconds")
"""What identifies a measured run."""
FEWEST_OPERATIONS = 1000
"""A result of fewer operations may agree with another by chance."""
_TEXT, _WHOLE, _REAL = pa.string(), pa.int64(), pa.float64()
TYPES: tuple[pa.DataType, ...] = (_TEXT, _TEXT, _TEXT, _TEXT, _WHOLE, _WHOLE, _REAL, _REAL)
SCHEMA = pa.schema(list(zip(("submission_id", "path", "sha256", *VALUES), TYPES, strict=True)))
Values = tuple[Any, ...]
_VALUES = attrgetter(*VALUES)
Status = dict[str, str]


class Seen(NamedTuple):
    """Submissions that need not be read: the state of each by name, and the file that holds their runs."""

    states: dict[str, Status]
    path: Path | None


NOTHING = Seen({}, None)


def duplicate_problems(gathered: Gathered, others: Seen = NOTHING) -> Iterator[Problem]:
    """Report files and runs that stand twice, each at the later one; ``others`` were not gathered and stand first."""
    submissions = {submission.id: submission for submission in gathered.submissions}
    states = others.states | {identity: each.status for identity, each in submissions.items()}
    shown = {name: name for name in others.states} | {name: each.shown for name, each in submissions.items()}
    reads = [read for read in gathered.files if read.role in UNIQUE_ROLES]
    by_hash, by_run = _seen_before(reads, others)
    for read in reads:
        here = (read.submission_id, read.path)
        same = by_hash.setdefault(read.sha256, here)
        if same != here and not (read.reading and read.reading.results) and _takes_its_place(here[0], same[0], states):
            by_hash[read.sha256] = here
            continue
        place, problem = ("files", read.index, "path"), submissions[read.submission_id].problem
        firsts = {each.sha256: by_hash.setdefault(each.sha256, here)[0] for each in _origins(read)}
        elsewhere = [each for each in _origins(read) if firsts[each.sha256] != here[0]]
        if elsewhere and all(_takes_its_place(here[0], firsts[each.sha256], states) for each in elsewhere):
            continue  # rows of the one that is superseded are left out
        if same != here:
            what = f"{read.path} is the same file as {shown[same[0]]}/{same[1]}"
            yield problem(place, what, "Remove it; a run counts once.", "R-FILE-7")
        elif elsewhere:
            origin, more = elsewhere[0], f", and {len(elsewhere) - 1} more files" * (len(elsewhere) > 1)
            same = by_hash[origin.sha256]
            what = f"{read.path} holds results of {origin.path}{more}, which stand in {shown[same[0]]}/{same[1]}"
            yield problem(place, what, "Remove them; a run counts once.", "R-FILE-7")
        elif runs := [first for run in _runs(read) if (first := by_run.setdefault(run, here)) != here]:
            what = f"{read.path} holds a run of {shown[runs[0][0]]}/{runs[0][1]}"
            yield problem(place, what, "Remove it; a run counts once, however it was saved.", "R-FILE-9")


def _takes_its_place(one: str, other: str, states: dict[str, Status]) -> bool:
    """Say whether one of two submissions leads to the other by way of ``superseded_by``."""
    for first, last in ((one, other), (other, one)):
        seen = {first}
        while (successor := states.get(first, {}).get("superseded_by")) is not None and successor not in seen:
            if successor == last:
                return True
            seen.add(first := successor)
    return False


def _origins(read: FileRead) -> list[Origin]:
    """Return the raw files that a file was excerpted from, each once."""
    results = read.reading.results if read.reading else ()
    return list({result.origin.sha256: result.origin for result in results if result.origin}.values())


def _runs(read: FileRead) -> Iterator[Values]:
    """Give what identifies each measured result of a file, without those that state too little."""
    for result in read.reading.results if read.reading else ():
        values: Values = _VALUES(result)
        if None not in values and not result.is_aggregate and (result.operation_count or 0) >= FEWEST_OPERATIONS:
            yield values


def _seen_before(reads: list[FileRead], others: Seen) -> tuple[dict[str, Stands], dict[Values, Stands]]:
    """Return where bytes and runs of these files stand among the submissions that were seen."""
    by_hash: dict[str, Stands] = {}
    by_run: dict[Values, Stands] = {}
    if others.path is None or not others.states:
        return by_hash, by_run
    hashes, runs = {read.sha256 for read in reads}, {run for read in reads for run in _runs(read)}
    hashes |= {origin.sha256 for read in reads for origin in _origins(read)}
    counts = {run[1] for run in runs}
    with pq.ParquetFile(others.path) as file:
        for batch in file.iter_batches():
            wanted = pc.or_(_is_in(batch["sha256"], hashes), _is_in(batch["operation_count"], counts))
            for row in batch.filter(wanted).to_pylist():
                values, stands = tuple(row[name] for name in VALUES), (row["submission_id"], row["path"])
                if row["submission_id"] in others.states and (row["sha256"] in hashes or values in runs):
                    by_hash.setdefault(row["sha256"], stands)
                    by_run.setdefault(values, stands)
    return by_hash, by_run


def _is_in(column: pa.Array[Any], wanted: set[Any]) -> pa.Array[Any]:
    return pc.is_in(column, pa.array(sorted(wanted), column.type))


def write_seen(gathered: Gathered, path: Path) -> None:
    """Write the files that are read and their runs, with the hash of every manifest and its state."""
    rows, nothing = [], (None,) * len(VALUES)
    for read in gathered.files:
        if read.role in UNIQUE_ROLES:
            file = (read.submission_id, read.path, read.sha256)
            rows += [(*file, *values) for values in list(_runs(read)) or [nothing]]
            rows += [(*file[:2], origin.sha256, *nothing) for origin in _origins(read)]
    submissions = {
        submission.id: {"manifest": _hash(submission.folder), "status": submission.status}
        for submission in gathered.submissions
    }
    notes = {"fingerprint": fingerprint(), "submissions": msgspec.json.encode(submissions)}
    columns = zip(*sorted(rows, key=str), strict=True) if rows else [()] * len(SCHEMA)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA.with_metadata(notes)), path, compression="zstd")


def load_seen(folders: Iterable[Path], path: Path) -> Seen:
    """Return which of these folders the last build saw as they are now; none when there is no usable build."""
    try:
        notes = pq.read_schema(path).metadata or {}
        seen = msgspec.json.decode(notes[b"submissions"]) if notes[b"fingerprint"].decode() == fingerprint() else {}
    except (OSError, KeyError, ValueError, pa.ArrowException):
        return NOTHING
    as_seen = [
        folder.name for folder in folders if folder.name in seen and seen[folder.name]["manifest"] == _hash(folder)
    ]
    return Seen({name: seen[name]["status"] for name in as_seen}, path)


def fingerprint(package: Path = PACKAGE) -> str:
    """Return the SHA-256 of the code of every room of this package: other code may read other values."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _hash(folder: Path) -> str | None:
    """Return the SHA-256 of a folder's manifest, None without one that can be read."""
    try:
        return hashlib.sha256((folder / NAME).read_bytes()).hexdigest()
    except OSError:
        return None
