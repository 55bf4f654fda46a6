"""
All submissions together: their manifests, the readings of their files, and everything that is wrong with them.

Nothing here writes; the caller decides what to do with the problems.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.problems import Problem, plain
from ioledger.readers import detect
from ioledger.readers.base import Reading, Source
from ioledger.rules import refusing
from ioledger.submission import agreement, duplicates, known, manifest, runs, states, subjects, texts
from ioledger.submission.shape import line_of
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ioledger.submission.known import Known
    from ioledger.submission.manifest import Submission
    from ioledger.submission.runs import Run

SHOWN_POINTS = 12
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
    """The point that a log belongs to."""


class Gathered(msgspec.Struct):
    """Every sound submission, the reading of every file, and every problem of all folders."""

    submissions: list[Submission]
    files: list[FileRead]
    problems: list[Problem]


def folders(data: Path) -> list[Path]:
    """Return the submission folders below ``data``, sorted; files and hidden folders are not submissions."""
    return sorted(path for path in data.iterdir() if path.is_dir() and not path.name.startswith("."))


def shown(folder: Path) -> str:
    """Return a folder as messages name it: from the project's root where it lies inside, else as it was given."""
    return plain(folder.relative_to(ROOT).as_posix() if folder.is_relative_to(ROOT) else str(folder))


def gather(
    paths: Iterable[Path],
    shown: Callable[[Path], str] = str,
    tick: Callable[[str], None] | None = None,
    others: Known = known.NOTHING,
) -> Gathered:
    """
    Load the submissions in these folders and read their files.

    ``shown`` turns a folder into the name that messages use; ``tick`` is told each folder before it is read. ``others``
    are submissions that stand beside them and need not be read.
    """
    gathered = Gathered([], [], [])
    for folder in paths:
        if tick:
            tick(folder.name)
        submission, problems = _loaded(folder, shown(folder))
        gathered.problems += problems
        if submission is not None:
            gathered.submissions.append(submission)
            found = list(_read_files(submission))
            gathered.files += found
            for read in found:
                gathered.problems += _problems_of(read, submission, shown(folder))
            gathered.problems += _untied(found, submission, shown(folder))
            gathered.problems += agreement.problems(submission, found, shown(folder))
            gathered.problems += subjects.problems(submission, found, shown(folder))
    names = {name: name for name in others.states}
    names |= {submission.id: shown(submission.folder) for submission in gathered.submissions}
    gathered.problems += duplicates.problems(gathered, names, READ_ROLES, others)
    gathered.problems += states.problems(gathered.submissions, names, others.states)
    gathered.problems.sort()
    return gathered


def _loaded(folder: Path, shown: str) -> tuple[Submission | None, list[Problem]]:
    """Load a submission; a folder that cannot be read is a problem of its own and costs no other its rows."""
    try:
        return manifest.load(folder, shown)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        return None, [Problem(shown, "", what, "Check the permissions of what is in it.", "R-FILE-8")]


def _read_files(submission: Submission) -> Iterator[FileRead]:
    """Read the listed files in the order of the manifest; logs after the runs they belong to."""
    entries = submission.manifest["files"]
    found: dict[str, FileRead] = {}
    for index, entry in sorted(enumerate(entries), key=lambda each: "run" in each[1]):
        found[entry["path"]] = _read_file(submission, index, entry, found.get(entry.get("run", "")))
    yield from (found[entry["path"]] for entry in entries)


def _read_file(submission: Submission, index: int, entry: dict[str, Any], of: FileRead | None) -> FileRead:
    """Read one file with what the manifest adds to it; ``of`` is the file of the run a log belongs to."""
    version = runs.tool_version(submission, entry, of)
    job = submission.file_bytes.get(entry.get("job", ""))
    source = Source(entry["path"], submission.file_bytes[entry["path"]], tool_version=version, job=job)
    if entry.get("role", "result") not in READ_ROLES:
        return FileRead(submission.id, index, entry, source.sha256, len(source.data), None)
    reading, run = detect.read(source), None
    if of is not None and of.reading is not None:
        point = _point(entry, of.reading)
        run = runs.run_of(of, point) if point is not None else None
        reading.warnings += runs.excess(reading, run) if run is not None else []
    return FileRead(submission.id, index, entry, source.sha256, len(source.data), reading, run)


def _point(entry: dict[str, Any], reading: Reading) -> str | None:
    """Return the point that a log belongs to: the one stated, else the only one; null when there is no such point."""
    found = runs.points(reading)
    stated = entry.get("point", found[0] if len(found) == 1 else None)
    return stated if stated in found else None


def _problems_of(read: FileRead, submission: Submission, shown: str) -> Iterator[Problem]:
    if read.reading is None:
        return
    file = f"{shown}/{read.entry['path']}"
    for refusal in read.reading.refusals:
        yield Problem(file, refusal.place, refusal.what, refusal.remedy, refusal.rule)
    for finding in read.reading.warnings:
        if finding.rule in refusing():
            remedy = "Submit the file as the tool wrote it, or another run."
            yield Problem(file, finding.pointer, finding.message, remedy, finding.rule)
    yield from texts.of_reading(read.reading, file)
    if read.entry.get("role", "result") == "result" and not read.reading.results and not read.reading.refusals:
        remedy = "Submit a run that completed some I/O, or give the file another role."
        yield Problem(file, "", "the file holds no result", remedy, "R-READ-2")
    configurations = submission.manifest["configurations"]
    for result in read.reading.results:
        if result.configuration is not None and result.configuration not in configurations:
            what = f"the configuration {result.configuration} is not in the manifest"
            yield Problem(file, result.pointer, what, f"Use one of: {', '.join(configurations)}.", "R-READ-3")


def _untied(found: list[FileRead], submission: Submission, shown: str) -> Iterator[Problem]:
    """Report every log whose point cannot be told."""
    by_path = {read.entry["path"]: read for read in found}
    for read in found:
        of = by_path.get(read.entry.get("run", ""))
        if of is not None and of.reading is not None and of.reading.results and read.run is None:
            place = str(line_of(("files", read.index, "run"), submission.lines))
            every = runs.points(of.reading)
            what = f"{read.entry['path']} belongs to no point of {read.entry['run']}, which has {len(every)}"
            remedy = f"State point: and one of {', '.join(every[:SHOWN_POINTS])}."
            yield Problem(f"{shown}/{manifest.NAME}", place, what, remedy, "R-READ-4")
