"""
The files of a submission: listed, unchanged, inside its folder, and no link; then read with what belongs to them.

A path in a manifest is written by a stranger, so it may not leave the folder; the hash proves that the file is the one
its submitter meant.

Readings are cached between builds, by the bytes of the file, its path, what the manifest states of it (the version of
the tool, the job file), and code: this package, its schemas, Python and the libraries. The SHA-256 of these names a
file in ``.ioledger/readings/`` with the reading as msgpack after the SHA-256 of that; a damaged file is replaced.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.loading.files import load
from ioledger.loading.linking import ORION, excess, is_matrix, remove_repeated, repetitions, run_key, run_of
from ioledger.model import Origin, Reading, Source
from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.submission import NAME, Submission, load_manifest, parse_value, reference_problems
from ioledger.tables.columns import Run, file_id
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from ioledger.model import Result

PACKAGE = Path(__file__).parents[1]
PLACE = Path(".ioledger") / "readings"
"""The folder of a workspace that holds the cache."""
LIBRARIES = ("msgspec", "numpy")
_DIGEST_BYTES = hashlib.sha256().digest_size


class Inputs(NamedTuple):
    """What the reading of a file depends on, beside code."""

    path: str
    sha256: str
    tool_version: str | None = None
    job_sha256: str | None = None
    """Of the job file that the tool ran."""


class ReadingCache:
    """The cached readings of a workspace; ``read_count`` and ``cached_count`` say where readings came from."""

    def __init__(self, workspace: Path | None = None, *, is_read: bool = True) -> None:
        """Take the workspace, none to cache nothing; with ``is_read`` false every file is read, and cached anew."""
        self.read_count = self.cached_count = 0
        self._folder = None if workspace is None else workspace / PLACE
        self._is_read = is_read
        self._used: set[str] = set()

    def get(self, inputs: Inputs, read: Callable[[], Reading]) -> Reading:
        """Return the reading of a file, from the cache or by ``read``; a file that is refused is never cached."""
        place = None
        if self._folder is not None:
            place = self._folder / hashlib.sha256(msgspec.json.encode([*inputs, *_code()])).hexdigest()
            self._used.add(place.name)
            if self._is_read and (found := _load(place)) is not None:
                self.cached_count += 1
                return found
        reading, self.read_count = read(), self.read_count + 1
        if place is not None and not reading.refusals:
            with suppress(UnicodeEncodeError, OverflowError):  # text or a number that msgpack does not hold
                _save(place, msgspec.msgpack.encode(reading))
        return reading

    def remove_unused(self) -> None:
        """Remove every reading that was not asked for."""
        if self._folder is not None and self._folder.is_dir():
            for path in self._folder.iterdir():
                if path.name not in self._used:
                    path.unlink(missing_ok=True)


def fingerprint(package: Path = PACKAGE) -> str:
    """Return the SHA-256 of the code of this package: other code may read other values."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _code() -> list[str]:
    """Return what says which code reads: package, schemas of tables, Python, libraries."""
    schemas = hashlib.sha256(b"".join(path.read_bytes() for path in sorted((SCHEMAS / "tables").glob("*.json"))))
    return [fingerprint(), schemas.hexdigest(), platform.python_version(), *map(version, LIBRARIES)]


def _load(place: Path) -> Reading | None:
    data = place.read_bytes() if place.is_file() else b""
    digest, packed = data[:_DIGEST_BYTES], memoryview(data)[_DIGEST_BYTES:]
    if hashlib.sha256(packed).digest() != digest:
        return None
    reading = msgspec.msgpack.decode(packed, type=Reading)
    for row in chain.from_iterable(reading.rows.values()):
        if row.get("origin"):
            row["origin"] = msgspec.convert(row["origin"], Origin)
    return reading


def _save(place: Path, packed: bytes) -> None:
    """Write a file of the cache beside its place and rename it, so that no build finds half of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{place.name}.{os.getpid()}")
    part.write_bytes(hashlib.sha256(packed).digest() + packed)
    part.replace(place)


PART = re.compile(
    r"(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z))[A-Za-z0-9_][A-Za-z0-9_+,.() -]*(?<![. ])", re.IGNORECASE | re.ASCII
)
"""A part of a path: what every file system can store, no shell takes for an option, and no tool hides."""
MAX_FILES = 10_000
MAX_FOLDER_BYTES = 2 << 30
READ_ROLES = frozenset({"result", "preparation", "log", "publication"})


class FileRead(msgspec.Struct, frozen=True):
    """One listed file of a submission: its manifest entry and position there, its bytes, and what a reader found."""

    submission_id: str
    index: int
    entry: dict[str, Any]
    sha256: str
    size: int
    reading: Reading | None
    run: Run | None = None
    """The repetition that a log belongs to."""

    @property
    def path(self) -> str:
        """Its path in the submission's folder."""
        return str(self.entry["path"])

    @property
    def role(self) -> str:
        """What it is for."""
        return str(self.entry.get("role", "result"))

    @property
    def results(self) -> list[Result]:
        """What a reader found in it, nothing where none has read it."""
        return self.reading.results if self.reading is not None else []

    @property
    def is_measured(self) -> bool:
        """Whether it is the output of a tool that measured: publications state what a paper says of many runs."""
        return self.role == "result" and bool(self.results)

    @property
    def file_id(self) -> str:
        """Its id in every table."""
        return file_id(self.path, self.submission_id)


class Gathered(msgspec.Struct):
    """Every sound submission, the reading of every file, and every problem of all folders."""

    submissions: list[Submission]
    files: list[FileRead]
    problems: list[Problem]


def load_submission(
    folder: Path, shown: str | None = None, checked: Container[str] = ()
) -> tuple[Submission | None, list[Problem]]:
    """Load a submission with the bytes of its files, named ``shown``; return it, or None with all that is wrong."""
    submission, problems = load_manifest(folder, shown or str(folder), checked)
    if submission is not None:
        problems = sorted([*reference_problems(submission), *_file_problems(submission)])
    return (None if problems else submission), problems


def _file_problems(submission: Submission) -> list[Problem]:
    """Put the bytes of every listed file into a submission, and return what is wrong with the folder's files."""
    folder, shown = submission.folder, submission.shown
    if (problem := _too_much(folder, shown)) is not None:
        return [problem]
    problems = list(_check_listed(submission))
    names = {entry["path"] for entry in submission.manifest["files"]} | {NAME}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name not in names and (path.is_symlink() or not path.is_dir()):
            what = "the manifest does not list this file"
            problems.append(Problem(f"{shown}/{name}", "", what, "List it or remove it.", "R-FILE-3"))
    return problems


def _too_much(folder: Path, shown: str) -> Problem | None:
    """Say when a folder holds more files or bytes than a submission may; stops counting there."""
    count = size = 0
    for path in folder.rglob("*"):
        if not path.is_symlink() and path.is_file():
            count, size = count + 1, size + path.stat().st_size
        if count > MAX_FILES or size > MAX_FOLDER_BYTES:
            what = f"the folder contains more than {MAX_FILES:,} files or {MAX_FOLDER_BYTES:,} bytes"
            return Problem(shown, "", what, "Split the submission.", "R-FILE-10")
    return None


def _check_listed(submission: Submission) -> Iterator[Problem]:
    """Verify every listed file; the bytes of those that hold are put into the submission."""
    submission.file_bytes = found = dict[str, bytes]()
    listed, spelt = {NAME}, {NAME: NAME}  # paths by small letters: on Windows and macOS capitals do not count
    for index, entry in enumerate(submission.manifest["files"]):
        name, place = entry["path"], ("files", index, "path")
        paths = [str(path) for path in (PurePosixPath(name), *PurePosixPath(name).parents)]
        others = [other for path in paths if (other := spelt.setdefault(path.casefold(), path)) != path]
        clash = next(iter(others), name if name in listed else None)
        if clash is not None:
            what = f"{name} is listed twice" if name == clash else f"{name} and {clash} are one name on other systems"
            yield submission.problem(place, what, "Remove or rename one of the two.", "R-FILE-1")
        elif (fault := _unsafe(submission.folder, name)) is not None:
            yield submission.problem(place, *fault)
        elif isinstance(loaded := load(str(submission.folder / name)), Problem):
            yield submission.problem(place, f"{name} {loaded.what}", loaded.remedy, loaded.rule)
        elif loaded.sha256 != entry["sha256"]:
            what, remedy = f"{name} is not the file that was listed", f"Restore it, or state sha256: {loaded.sha256}."
            yield submission.problem(("files", index, "sha256"), what, remedy, "R-FILE-2")
        else:
            found[name] = loaded.data
        listed.add(name)


def _unsafe(folder: Path, name: str) -> tuple[str, str, str] | None:
    """Say why a listed path is not a plain file inside the folder: what, remedy, rule."""
    parts = name.split("/")
    if not all(PART.fullmatch(part) for part in parts):
        remedy = (
            "List files inside the folder, with / between folders, and plain names: letters, digits, - _ + , . ( )."
        )
        return f"the path {name} leaves the folder or has the wrong form", remedy, "R-FILE-4"
    steps = [folder.joinpath(*parts[: end + 1]) for end in range(len(parts))]
    if any(step.is_symlink() for step in steps):
        return f"{name} is a symbolic link", "Put the file itself into the folder.", "R-FILE-5"
    if not steps[-1].is_file():
        return f"{name} does not exist", "Add the file or remove the entry.", "R-FILE-6"
    refusal = detect.too_large(steps[-1].stat().st_size)
    return (refusal.what, refusal.remedy, refusal.rule) if refusal else None


def read_files(submission: Submission, cache: ReadingCache) -> list[FileRead]:
    """Read the listed files and return them in the order of the manifest; logs after the runs they belong to."""
    entries = submission.manifest["files"]
    found: dict[str, FileRead] = {}
    for index, entry in sorted(enumerate(entries), key=lambda each: "run" in each[1]):
        found[entry["path"]] = _read_file(submission, index, entry, found.get(entry.get("run", "")), cache)
    _once_of_a_run([read for read in found.values() if read.is_measured])
    return [found[entry["path"]] for entry in entries]


def _once_of_a_run(measured: list[FileRead]) -> None:
    """Leave out of a summary of ORION what the matrices of its run say too, as it is where no manifest ties them."""
    runs: dict[tuple[str, str], list[FileRead]] = {}
    for read in measured:
        if read.reading is not None and read.reading.tool == ORION:
            key = run_key(Source(read.path, b""))
            runs.setdefault(key, []).append(read) if key is not None else None
    for together in runs.values():
        matrices = [read for read in together if is_matrix(read.path)]
        names, readings = " and ".join(read.path for read in matrices), [read.reading for read in matrices]
        for read in together if matrices else ():
            if read not in matrices and read.reading is not None:
                remove_repeated(read.reading, [each for each in readings if each is not None], names)


def _read_file(
    submission: Submission, index: int, entry: dict[str, Any], of: FileRead | None, cache: ReadingCache
) -> FileRead:
    """Read one file with what the manifest adds to it; ``of`` is the file of the run a log belongs to."""
    path, sha256, data = entry["path"], entry["sha256"], submission.file_bytes[entry["path"]]
    if entry.get("role", "result") not in READ_ROLES:
        return FileRead(submission.id, index, entry, sha256, len(data), None)
    its_run = of.reading if of is not None else None
    version = its_run.tool_version if its_run is not None else None
    if not version:
        configuration = submission.manifest["configurations"].get(entry.get("configuration"), {"software": {}})
        stated = parse_value(configuration["software"].get("tool_version")).value
        version = stated if isinstance(stated, str) else None
    job = submission.file_bytes[entry["job"]] if "job" in entry else None
    source = Source(path, data, tool_version=version, job=job, _sha256=sha256)
    inputs = Inputs(path, sha256, version, None if job is None else hashlib.sha256(job).hexdigest())
    reading, run = cache.get(inputs, partial(detect.read, source)), None
    if of is not None and its_run is not None:
        found = repetitions(its_run)
        repetition = entry.get("point", found[0] if len(found) == 1 else None)
        if repetition in found:
            run = run_of(its_run, of.sha256, repetition, is_published=of.role == "result")
            reading.warnings += excess(reading, run)
    return FileRead(submission.id, index, entry, sha256, len(data), reading, run)
