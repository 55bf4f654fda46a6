"""
The same run twice: the same bytes in two places, or the same measured values in files of different bytes.

A run whose file was saved again or reformatted keeps its operations, bytes, duration and mean latency to the last digit
(:func:`run_key`). Near values prove nothing: in a closed load of fixed duration, operations and mean latency are one
measure, and reads at the limit of a bus repeat to a few parts in a hundred thousand.
Only what is published as measured is compared: the same job file in two submissions says that both were measured alike,
and one preparation may precede several. A file without results, such as the claims of a publication, may be in a
submission and again in the one that replaces it: a correction carries everything that was right.

An excerpt has results of raw files that are elsewhere: each of those counts as a file of its submission, so that one
that is submitted and excerpted, or excerpted by two, is found.

To check one folder the other submissions need not be read again: a build leaves ``build/known/runs.parquet``, a row for
each file and each measured run in it. A submission counts as seen while its manifest has the bytes, and this package
the code, that the build saw; every other one is read.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ioledger.submission.files import READ_ROLES
from ioledger.submission.manifest import NAME
from ioledger.submission.reading_cache import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Origin
    from ioledger.problems import Problem
    from ioledger.submission.files import FileRead, Gathered
    from ioledger.submission.manifest import Submission

    Stands = tuple[str, str]
    """Where a file stands: its submission and its path there."""

UNIQUE_ROLES = READ_ROLES - {"preparation"}
PLACE = Path("known") / "runs.parquet"
_TEXT = pa.string()
_RUN: dict[str, pa.DataType] = {**dict.fromkeys(("pointer", "key", "repetition"), _TEXT), "is_excerpt": pa.bool_()}
SCHEMA = pa.schema([*((name, _TEXT) for name in ("submission_id", "path", "sha256")), *_RUN.items()])
MEASURES = ("operation_count", "transferred_bytes", "duration_seconds", "latency_mean_seconds")
"""Columns of a result that are equal to the last digit in copies of one run, and in no other."""
Status = dict[str, str]


class Seen(NamedTuple):
    """Submissions that need not be read: the state of each by name, and the file that holds their runs."""

    states: dict[str, Status]
    path: Path | None


NOTHING = Seen({}, None)


class Run(NamedTuple):
    """A measured result: its place, the key of its values (:func:`run_key`), and the run that it belongs to."""

    pointer: str
    key: str
    repetition: str
    is_excerpt: bool

    @property
    def document(self) -> str:
        """The report in a file of several, or the line of a table."""
        return self.pointer.partition("#")[0]


def run_key(values: Iterable[float | None]) -> str | None:
    """Return a text that is equal for copies of a run, of the values of :data:`MEASURES`; null where one is missing."""
    known = [value for value in values if value is not None]
    return " ".join(map(repr, map(float, known))) if len(known) == len(MEASURES) else None


class Held(NamedTuple):
    """What a file holds that may stand elsewhere too: its bytes, its runs, and the raw files it was excerpted from."""

    submission_id: str
    path: str
    position: int
    """In the list of files of its manifest."""
    sha256: str
    has_results: bool
    origins: tuple[tuple[str, str], ...]
    """Path and SHA-256 of each, once."""
    runs: tuple[Run, ...]


def held(files: Iterable[FileRead]) -> list[Held]:
    """Return what these files hold, without those of which two may be alike."""
    return [
        Held(
            *(read.submission_id, read.path, read.index, read.sha256),
            has_results=bool(read.reading and read.reading.results),
            origins=tuple((origin.path, origin.sha256) for origin in _origins(read)),
            runs=tuple(_runs(read)),
        )
        for read in files
        if read.role in UNIQUE_ROLES
    ]


def duplicate_problems(gathered: Gathered, others: Seen = NOTHING) -> Iterator[Problem]:
    """Report files and runs that stand twice, each at the later one; ``others`` were not gathered and stand first."""
    return (problem for *_, problem in _duplicates(gathered, others))


def copies(gathered: Gathered) -> dict[str, dict[Problem, str]]:
    """Return the submissions that have a file or run of an earlier one: each problem, with the name of that one."""
    found: dict[str, dict[Problem, str]] = {}
    for own, first, problem in _duplicates(gathered, NOTHING):
        if own != first:
            found.setdefault(own, {})[problem] = first
    return found


def _duplicates(gathered: Gathered, others: Seen) -> Iterator[tuple[str, str, Problem]]:
    """Give the submission of each duplicate, the one that has it first, and the problem."""
    submissions = {submission.id: submission for submission in gathered.submissions}
    files = held(gathered.files)
    states = others.states | {identity: each.status for identity, each in submissions.items()}
    by_hash, before = _seen_before(files, others)
    again = _again([*before, *_standing(files)], states)
    for read in files:
        here = (read.submission_id, read.path)
        same = by_hash.setdefault(read.sha256, here)
        if same != here and not read.has_results and _takes_its_place(here[0], same[0], states):
            by_hash[read.sha256] = here
            continue
        firsts = {sha256: by_hash.setdefault(sha256, here)[0] for _, sha256 in read.origins}
        elsewhere = [each for each in read.origins if firsts[each[1]] != here[0]]
        if elsewhere and all(_takes_its_place(here[0], firsts[sha256], states) for _, sha256 in elsewhere):
            continue  # rows of the one that is superseded are left out
        if same != here:
            first, what = same[0], f"{read.path} is the same file as {_shown(same, submissions, others)}"
            remedy, rule = "Remove it; a run counts once.", "R-FILE-7"
        elif elsewhere:
            origin, more = elsewhere[0], f", and {len(elsewhere) - 1} more files" * (len(elsewhere) > 1)
            first, stands = firsts[origin[1]], _shown(by_hash[origin[1]], submissions, others)
            what = f"{read.path} contains results of {origin[0]}{more}, which are also in {stands}"
            remedy, rule = "Remove them; a run counts once.", "R-FILE-7"
        elif here in again:
            (stands_first, run), second = again[here]
            first = stands_first[0]
            at = _shown(stands_first, submissions, others) if stands_first != here else "the same file"
            what = f"{read.path} ({second.pointer}) is a copy of a run in {at} ({run.pointer}): {_ALL_EQUAL}"
            remedy, rule = "Remove it; a run counts once.", "R-FILE-9"
        else:
            continue
        yield here[0], first, submissions[here[0]].problem(("files", read.position, "path"), what, remedy, rule)


def _standing(files: Iterable[Held]) -> Iterator[tuple[Stands, Run]]:
    return (((read.submission_id, read.path), run) for read in files for run in read.runs)


_ALL_EQUAL = "operations, bytes, duration and mean latency are equal"


def _again(runs: list[tuple[Stands, Run]], states: dict[str, Status]) -> dict[Stands, tuple[tuple[Stands, Run], Run]]:
    """Return the first run of each file that stands before, with the one that it is a copy of."""
    firsts: dict[str, tuple[Stands, Run]] = {}
    found: dict[Stands, tuple[tuple[Stands, Run], Run]] = {}
    for stands, second in runs:
        first = firsts.setdefault(second.key, (stands, second))
        # reads and writes of one run are no two runs, nor are the total of a document and the only target that wrote
        is_one = second.repetition == first[1].repetition or (stands, second.document) == (first[0], first[1].document)
        corrects = first[1].is_excerpt and second.is_excerpt
        if not is_one and not (corrects and _takes_its_place(first[0][0], stands[0], states)):
            found.setdefault(stands, (first, second))
    return found


def _shown(stands: Stands, submissions: Mapping[str, Submission], others: Seen) -> str:
    """Return where a file stands as messages name it; one that was not gathered by its submission's name."""
    name = stands[0] if stands[0] in others.states else submissions[stands[0]].shown
    return f"{name}/{stands[1]}"


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


def _runs(read: FileRead) -> Iterator[Run]:
    """Give each measured result of a file that has a key."""
    for result in read.reading.results if read.reading else ():
        key = run_key(getattr(result, name) for name in MEASURES)
        if key is not None:
            raw = f"{result.origin.sha256 if result.origin else read.sha256} {result.repetition}"
            yield Run(result.pointer, key, sha256(raw.encode()), result.origin is not None)


def _seen_before(files: Sequence[Held], others: Seen) -> tuple[dict[str, Stands], list[tuple[Stands, Run]]]:
    """Return where bytes of these files stand among the submissions that were seen, and the runs that are theirs."""
    by_hash: dict[str, Stands] = {}
    runs: list[tuple[Stands, Run]] = []
    if others.path is None or not others.states:
        return by_hash, runs
    hashes = {read.sha256 for read in files} | {sha256 for read in files for _, sha256 in read.origins}
    keys = {run.key for read in files for run in read.runs}
    with pq.ParquetFile(others.path) as file:
        for batch in file.iter_batches():
            wanted = pc.or_(_is_in(batch["sha256"], hashes), _is_in(batch["key"], keys))
            for row in batch.filter(wanted).to_pylist():
                if row["submission_id"] in others.states:
                    stands = (row["submission_id"], row["path"])
                    by_hash.setdefault(row["sha256"], stands)
                    if row["pointer"] is not None:
                        runs.append((stands, Run(*(row[name] for name in _RUN))))
    return by_hash, runs


def _is_in(column: pa.Array[Any], wanted: set[Any]) -> pa.Array[Any]:
    return pc.is_in(column, pa.array(sorted(wanted), column.type))


def write_seen(gathered: Gathered, path: Path) -> None:
    """Write the files that are read and their runs, with the hash of every manifest and its state."""
    rows = []
    for read in held(gathered.files):
        place = {"submission_id": read.submission_id, "path": read.path}
        rows += [place | {"sha256": read.sha256} | run._asdict() for run in read.runs]
        rows += [place | {"sha256": read.sha256}] if not read.runs else []
        rows += [place | {"sha256": sha256} for _, sha256 in read.origins]
    submissions = {each.id: {"manifest": _hash(each.folder), "status": each.status} for each in gathered.submissions}
    notes: dict[str, str] = {"fingerprint": fingerprint(), "submissions": msgspec.json.encode(submissions).decode()}
    table = pa.Table.from_pylist(rows, schema=SCHEMA).sort_by([(name, "ascending") for name in SCHEMA.names])
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table.replace_schema_metadata(notes), path, compression="zstd")


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


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _hash(folder: Path) -> str | None:
    """Return the SHA-256 of a folder's manifest, None without one that can be read."""
    try:
        return sha256((folder / NAME).read_bytes())
    except OSError:
        return None
