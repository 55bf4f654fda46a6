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
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ioledger.submission.files import READ_ROLES
from ioledger.submission.manifest import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Origin
    from ioledger.problems import Problem
    from ioledger.submission.files import FileRead, Gathered
    from ioledger.submission.manifest import Submission

    Stands = tuple[str, str]
    """Where a file stands: its submission and its path there."""

PACKAGE = Path(__file__).parents[1]
UNIQUE_ROLES = READ_ROLES - {"preparation"}
PLACE = Path("known") / "runs.parquet"
_TEXT, _WHOLE = pa.string(), pa.int64()
_FILE = ["submission_id", "path", "sha256"]
_RUN: dict[str, pa.DataType] = {**dict.fromkeys(("pointer", "key", "repetition"), _TEXT), "is_excerpt": pa.bool_()}
SCHEMA = pa.schema([*((name, _TEXT) for name in _FILE), *_RUN.items()])
_ORIGIN = pa.struct([pa.field("path", _TEXT), pa.field("sha256", _TEXT)])
_HELD: dict[str, pa.DataType] = {
    "submission_id": _TEXT, "path": _TEXT, "position": _WHOLE, "sha256": _TEXT, "has_results": pa.bool_(),
    "origins": pa.list_(_ORIGIN), "runs": pa.list_(pa.struct(list(_RUN.items()))),
}  # fmt: skip
HELD_SCHEMA = pa.schema(list(_HELD.items()))
"""What files hold, a row for each; see :class:`Held`."""
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


def packed(files: Iterable[Held]) -> pa.Table:
    """Return what files hold as a table."""
    rows = [
        each._asdict()
        | {
            "origins": [{"path": path, "sha256": sha256} for path, sha256 in each.origins],
            "runs": [run._asdict() for run in each.runs],
        }
        for each in files
    ]
    return pa.Table.from_pylist(rows, schema=HELD_SCHEMA)


def unpacked(table: pa.Table) -> list[Held]:
    """Return what files hold from a table; the opposite of :func:`packed`."""
    return [
        Held(
            *(row["submission_id"], row["path"], row["position"], row["sha256"]),
            has_results=row["has_results"],
            origins=tuple((each["path"], each["sha256"]) for each in row["origins"]),
            runs=tuple(Run(**run) for run in row["runs"]),
        )
        for row in table.to_pylist()
    ]


def suspects(files: Iterable[Callable[[], pa.Table]]) -> pa.Table:
    """
    Return those files of which a hash or a run stands twice; of the others nothing is ever reported.

    Each of ``files`` gives what the files of a submission hold, and is called a second time where some are suspects: of
    a million files only a number for each hash and each run is in memory at once.
    """
    given = list(files)
    numbers, rows, starts = [], [], [0]
    for load in given:
        table = load().combine_chunks()
        first = starts[-1]
        own = (table["sha256"], _flat(table, "origins", "sha256"), _flat(table, "runs", "key"))
        places = (np.arange(table.num_rows), _rows_of(table, "origins").to_numpy(), _rows_of(table, "runs").to_numpy())
        numbers += [_numbers(column) for column in own]
        rows += [first + place for place in places]
        starts.append(first + table.num_rows)
    if not given:
        return HELD_SCHEMA.empty_table()
    twice = np.unique(_twice(np.concatenate(numbers), np.concatenate(rows)))
    parts = [
        twice[np.searchsorted(twice, start) : np.searchsorted(twice, end)] - start for start, end in pairwise(starts)
    ]
    found = [load().take(pa.array(part)) for load, part in zip(given, parts, strict=True) if len(part)]
    return pa.concat_tables([HELD_SCHEMA.empty_table(), *found])


def _numbers(texts: pa.ChunkedArray[Any] | pa.Array[Any]) -> np.ndarray:
    """
    Return a number from 0 on for each text.

    Two texts that share one of 63 bits are distinguished where they are compared.
    """
    numbers = (hash(text) & (1 << 63) - 1 for text in texts.to_pylist())
    return np.fromiter(numbers, np.int64, len(texts))


def _twice(numbers: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the rows of the numbers that stand more than once."""
    order = np.argsort(numbers, kind="stable")
    firsts = np.flatnonzero(numbers[order][1:] == numbers[order][:-1])
    return rows[order[np.union1d(firsts, firsts + 1)]]


def _rows_of(numbered: pa.Table, column: str) -> pa.Array[Any]:
    """Return the row of each element of a column of lists."""
    return pc.list_parent_indices(numbered[column].combine_chunks()).cast(_WHOLE)


def _flat(numbered: pa.Table, column: str, name: str) -> pa.Array[Any]:
    """Return a field of each element of a column of lists."""
    found: pa.Array[Any] = pc.struct_field(pc.list_flatten(numbered[column].combine_chunks()), name)
    return found


def duplicate_problems(gathered: Gathered, others: Seen = NOTHING) -> Iterator[Problem]:
    """Report files and runs that stand twice, each at the later one; ``others`` were not gathered and stand first."""
    submissions = {submission.id: submission for submission in gathered.submissions}
    states = {identity: each.status for identity, each in submissions.items()}
    yield from repeated(held(gathered.files), submissions.__getitem__, states, others)


def repeated(
    files: Sequence[Held], submission: Callable[[str], Submission], states: dict[str, Status], others: Seen = NOTHING
) -> Iterator[Problem]:
    """
    Report files and runs that stand twice; ``submission`` gives the submission of a name, its files need not be there.

    ``states`` are those of the submissions of these files; ``others`` were not gathered and stand first.
    """
    states = others.states | states
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
            what = f"{read.path} is the same file as {_shown(same, submission, others)}"
            remedy, rule = "Remove it; a run counts once.", "R-FILE-7"
        elif elsewhere:
            origin, more = elsewhere[0], f", and {len(elsewhere) - 1} more files" * (len(elsewhere) > 1)
            stands = _shown(by_hash[origin[1]], submission, others)
            what = f"{read.path} holds results of {origin[0]}{more}, which stand in {stands}"
            remedy, rule = "Remove them; a run counts once.", "R-FILE-7"
        elif here in again:
            (first_stands, first), second = again[here]
            at = _shown(first_stands, submission, others) if first_stands != here else "the same file"
            what = f"{read.path} ({second.pointer}) is a copy of a run in {at} ({first.pointer}): {_ALL_EQUAL}"
            remedy, rule = "Remove it; a run counts once.", "R-FILE-9"
        else:
            continue
        yield submission(here[0]).problem(("files", read.position, "path"), what, remedy, rule)


def _standing(files: Iterable[Held]) -> Iterator[tuple[Stands, Run]]:
    return (((read.submission_id, read.path), run) for read in files for run in read.runs)


_ALL_EQUAL = "operations, bytes, duration and mean latency are equal"


def _again(runs: list[tuple[Stands, Run]], states: dict[str, Status]) -> dict[Stands, tuple[tuple[Stands, Run], Run]]:
    """Return the first run of each file that stands before, with the one that it is a copy of."""
    firsts: dict[str, tuple[Stands, Run]] = {}
    found: dict[Stands, tuple[tuple[Stands, Run], Run]] = {}
    for stands, second in runs:
        first = firsts.setdefault(second.key, (stands, second))
        is_one = second.repetition == first[1].repetition  # reads and writes of one run are no two runs
        corrects = first[1].is_excerpt and second.is_excerpt
        if not is_one and not (corrects and _takes_its_place(first[0][0], stands[0], states)):
            found.setdefault(stands, (first, second))
    return found


def _shown(stands: Stands, submission: Callable[[str], Submission], others: Seen) -> str:
    """Return where a file stands as messages name it; one that was not gathered by its submission's name."""
    name = stands[0] if stands[0] in others.states else submission(stands[0]).shown
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
    states = {submission.id: (_hash(submission.folder), submission.status) for submission in gathered.submissions}
    write_held([packed(held(gathered.files))], states, path)


def write_held(files: Sequence[pa.Table], states: Mapping[str, tuple[str | None, Status]], path: Path) -> None:
    """Write what files hold; ``states`` has the hash of the manifest and the state of each of their submissions."""
    every = pa.concat_tables(files or [HELD_SCHEMA.empty_table()]).combine_chunks()
    without = every.filter(pc.invert(pc.cast(pc.list_value_length(every["runs"]), pa.bool_()))).select(_FILE)
    with_runs = every.select(_FILE).take(_rows_of(every, "runs"))
    for name in _RUN:
        with_runs = with_runs.append_column(name, _flat(every, "runs", name))
    origins = every.select(_FILE[:2]).take(_rows_of(every, "origins"))
    origins = origins.append_column("sha256", _flat(every, "origins", "sha256"))
    whole = pa.concat_tables([with_runs, without, origins], promote_options="default").select(SCHEMA.names)
    submissions = {name: {"manifest": manifest, "status": status} for name, (manifest, status) in states.items()}
    notes: dict[str, str] = {"fingerprint": fingerprint(), "submissions": msgspec.json.encode(submissions).decode()}
    rows = whole.sort_by([(name, "ascending") for name in SCHEMA.names])
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows.replace_schema_metadata(notes), path, compression="zstd")


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


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _hash(folder: Path) -> str | None:
    """Return the SHA-256 of a folder's manifest, None without one that can be read."""
    try:
        return sha256((folder / NAME).read_bytes())
    except OSError:
        return None
