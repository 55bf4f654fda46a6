"""
All submissions together: their manifests, the readings of their files, and everything that is wrong with them.

Nothing here writes; the caller decides what to do with the problems.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ioledger.loading.linking import repetitions
from ioledger.problems import Problem, plain
from ioledger.submission.consistency import consistency_problems
from ioledger.submission.dates import day_problems
from ioledger.submission.duplicates import NOTHING, find_duplicates
from ioledger.submission.files import Gathered, load_submission, read_files
from ioledger.submission.manifest import NAME, state_problems
from ioledger.submission.origins import origin_problems
from ioledger.submission.reading_cache import ReadingCache
from ioledger.submission.shape import text_problems_of_reading
from ioledger.system import read_git
from ioledger.tables.schema import ROOT, refusing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ioledger.submission.duplicates import Built
    from ioledger.submission.files import FileRead
    from ioledger.submission.manifest import Submission

SHOWN_REPETITIONS = 12
PUBLISHED = frozenset({"result", "publication"})
"""Roles of files that say something by themselves; all others belong to one of these."""


def folders(data: Path) -> list[Path]:
    """Return the submission folders below ``data``, sorted; files and hidden folders are not submissions."""
    return sorted(path for path in data.iterdir() if path.is_dir() and not path.name.startswith("."))


def folders_by_age(data: Path) -> list[Path]:
    """Return the submission folders, the oldest on this branch first; those that git does not know last, by name."""
    arguments = ("--first-parent", "-m", "--reverse", "--diff-filter=A", "--name-only", "--format=", "--relative")
    added = read_git(data, "log", *arguments, "--", f"*/{NAME}") or b""
    order: dict[str, int] = {}
    for line in added.decode(errors="replace").splitlines():
        order.setdefault(line.partition("/")[0], len(order))
    return sorted(folders(data), key=lambda folder: (order.get(folder.name, len(order)), folder.name))


def shown(folder: Path) -> str:
    """Return a folder as messages name it: from the project's root where it lies inside, else as it was given."""
    return plain(folder.relative_to(ROOT).as_posix() if folder.is_relative_to(ROOT) else str(folder))


def gather(paths: Iterable[Path], shown: Callable[[Path], str] = str) -> Gathered:
    """Load the submissions in these folders and read their files; ``shown`` gives the name that messages use."""
    return combine(gather_one(folder, shown(folder)) for folder in paths)


def combine(parts: Iterable[Gathered], others: Built = NOTHING) -> Gathered:
    """Return several submissions as one value, with the problems between them and with ``others``."""
    whole = Gathered([], [], [])
    for part in parts:
        whole.submissions += part.submissions
        whole.files += part.files
        whole.problems += part.problems
    whole.problems += (problem for *_, problem in find_duplicates(whole, others))
    whole.problems += state_problems(whole.submissions, others.states)
    whole.problems.sort()
    return whole


def without_copies(
    parts: Iterable[Gathered], others: Built = NOTHING
) -> tuple[Gathered, dict[str, dict[Problem, str]]]:
    """
    Return several submissions as one value, and why some are left out: they have a run of a submission before them.

    Two pull requests that are judged beside each other may both bring a run; the data are published without the later.
    """
    whole, found = combine(listed := list(parts), others), dict[str, dict[Problem, str]]()
    for own, first, problem in find_duplicates(whole):
        if own != first:
            found.setdefault(own, {})[problem] = first
    if not found:
        return whole, {}
    left = (part for part in listed if not {each.id for each in part.submissions} & found.keys())
    return combine(left, others), found


def gather_one(folder: Path, shown: str, cache: ReadingCache | None = None) -> Gathered:
    """Load one submission and read its files, without a comparison with others; ``cache`` may have its readings."""
    try:
        submission, problems = load_submission(folder, shown)
    except OSError as error:  # it costs no other submission its rows
        what = f"cannot be read: {error.strerror or error}"
        return Gathered([], [], [Problem(shown, "", what, "Check the permissions of what is in it.", "R-FILE-8")])
    if submission is None:
        return Gathered([], [], problems)
    found = read_files(submission, cache or ReadingCache())
    for read in found:
        problems += _reading_problems(read, submission)
    for check in (_find_unread, _find_untied, origin_problems, consistency_problems, day_problems):
        problems += check(submission, found)
    return Gathered([submission], found, problems)


def summary(gathered: Gathered) -> Gathered:
    """Return submissions without bytes and rows: what the problems between submissions need."""
    for submission in gathered.submissions:
        submission.file_bytes = {}
    files = [
        msgspec.structs.replace(each, reading=each.reading and msgspec.structs.replace(each.reading, rows={}))
        for each in gathered.files
    ]
    return msgspec.structs.replace(gathered, files=files)


def _reading_problems(read: FileRead, submission: Submission) -> Iterator[Problem]:
    """Report why a file cannot be read, and what a submission may not hold."""
    if read.reading is None:
        return
    file = f"{submission.shown}/{read.path}"
    for refusal in read.reading.refusals:
        yield Problem(file, refusal.place, refusal.what, refusal.remedy, refusal.rule)
    for finding in read.reading.warnings:
        if finding.rule in refusing():
            remedy = "Submit the file as the tool wrote it, or another run."
            yield Problem(file, finding.pointer, finding.message, remedy, finding.rule)
    yield from text_problems_of_reading(read.reading, file)
    is_repeated = any(finding.rule == "R-JOIN-3" for finding in read.reading.warnings)  # by the matrices of its run
    if read.role == "result" and not (read.reading.results or read.reading.refusals or is_repeated):
        remedy = "Submit a run that completed some I/O, or give the file another role."
        yield Problem(file, "", "the file contains no result", remedy, "R-READ-2")
    configurations = submission.manifest["configurations"]
    for result in read.reading.results:
        if result.configuration is not None and result.configuration not in configurations:
            what = f"the configuration {result.configuration} is not in the manifest"
            yield Problem(file, result.pointer, what, f"Use one of: {', '.join(configurations)}.", "R-READ-3")


def _find_unread(submission: Submission, found: list[FileRead]) -> Iterator[Problem]:
    """Report a submission of whose files none is read for what was measured, stated or replied."""
    if submission.stands and not submission.is_excerpt and not {read.role for read in found} & PUBLISHED:
        roles = ", ".join(sorted({read.role for read in found}))
        what = f"no file has the role result or publication; the roles are {roles}"
        yield submission.problem(("files",), what, "Leave the role of a result out, or state result.", "R-READ-7")


def _find_untied(submission: Submission, found: list[FileRead]) -> Iterator[Problem]:
    """Report every log whose repetition cannot be told."""
    by_path = {read.path: read for read in found}
    for read in found:
        of = by_path.get(read.entry.get("run", ""))
        if of is not None and of.reading is not None and of.results and read.run is None:
            every = repetitions(of.reading)
            what = f"{read.path} belongs to no point of {of.path}, which has {len(every)}"
            remedy = f"State point: and one of {', '.join(every[:SHOWN_REPETITIONS])}."
            yield submission.problem(("files", read.index, "run"), what, remedy, "R-READ-4")
