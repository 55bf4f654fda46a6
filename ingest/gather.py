"""
All submissions together: their manifests, the readings of their files, and everything that is wrong with them.

Nothing here writes; the caller decides what to do with the problems.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ingest import detect, duplicates, known, manifest, states, texts
from ingest.problems import Problem
from ingest.record import Reading, Source
from ingest.tables import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ingest.known import Known
    from ingest.manifest import Submission

READ_ROLES = frozenset({"result", "preparation", "log", "publication"})


class FileRead(msgspec.Struct, frozen=True):
    """One listed file of a submission: its manifest entry and position there, its bytes, and what a reader found."""

    submission_id: str
    index: int
    entry: dict[str, Any]
    sha256: str
    size: int
    reading: Reading | None


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
    return folder.relative_to(ROOT).as_posix() if folder.is_relative_to(ROOT) else str(folder)


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
        submission, problems = manifest.load(folder, shown(folder))
        gathered.problems += problems
        if submission is not None:
            gathered.submissions.append(submission)
            for read in _read_files(submission):
                gathered.files.append(read)
                gathered.problems += _problems_of(read, submission, shown(folder))
    names = {name: name for name in others.states}
    names |= {submission.id: shown(submission.folder) for submission in gathered.submissions}
    gathered.problems += duplicates.problems(gathered, names, READ_ROLES, others)
    gathered.problems += states.problems(gathered.submissions, names, others.states)
    gathered.problems.sort()
    return gathered


def _read_files(submission: Submission) -> Iterator[FileRead]:
    for index, entry in enumerate(submission.manifest["files"]):
        source = Source(entry["path"], submission.file_bytes[entry["path"]])
        reading = detect.read(source) if entry.get("role", "result") in READ_ROLES else None
        yield FileRead(submission.id, index, entry, source.sha256, len(source.data), reading)


def _problems_of(read: FileRead, submission: Submission, shown: str) -> Iterator[Problem]:
    if read.reading is None:
        return
    file = f"{shown}/{read.entry['path']}"
    for refusal in read.reading.refusals:
        yield Problem(file, refusal.place, refusal.what, refusal.remedy, refusal.rule)
    yield from texts.of_reading(read.reading, file)
    if read.entry.get("role", "result") == "result" and not read.reading.results and not read.reading.refusals:
        remedy = "Submit a run that completed some I/O, or give the file another role."
        yield Problem(file, "", "the file holds no result", remedy, "R-READ-2")
    configurations = submission.manifest["configurations"]
    for result in read.reading.results:
        if result.configuration is not None and result.configuration not in configurations:
            what = f"the configuration {result.configuration} is not in the manifest"
            yield Problem(file, result.pointer, what, f"Use one of: {', '.join(configurations)}.", "R-READ-3")
