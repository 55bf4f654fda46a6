"""
All submissions together: their manifests, the readings of their files, and everything that is wrong with them.

Nothing here writes; the caller decides what to do with the problems. A run may stand in one place only: neither the
same bytes in two places, nor the same measured values in files of different bytes. A run whose file was saved again or
reformatted keeps its operations, bytes, duration and mean latency to the last digit; near values prove nothing. A file
without results, such as the claims of a publication, may be in a submission and again in the one that replaces it. Each
raw file of an excerpt counts as a file of its submission.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.loading.linking import repetitions
from ioledger.problems import Problem, plain
from ioledger.submission import NAME, state_problems, successors
from ioledger.submission.consistency import consistency_problems, day_problems
from ioledger.submission.files import READ_ROLES, Gathered, ReadingCache, load_submission, read_files
from ioledger.submission.origins import origin_problems
from ioledger.submission.shape import text_problems_of_reading
from ioledger.system import read_git
from ioledger.tables.columns import result_repetition_id
from ioledger.tables.schema import ROOT, refusing

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping
    from pathlib import Path

    from ioledger.submission import Submission
    from ioledger.submission.files import FileRead

    Place = tuple[str, str]
    """A submission, and the path of a file in it."""

UNIQUE_ROLES = READ_ROLES - {"preparation"}
MEASURES = ("operation_count", "transferred_bytes", "duration_seconds", "latency_mean_seconds")
"""Columns of a result that are equal to the last digit in copies of one run, and in no other."""
Status = dict[str, str]
NO_OTHERS: Mapping[str, Status] = {}


class Run(NamedTuple):
    """A measured result: its place, the key of its values (:func:`run_key`), and the repetition that it belongs to."""

    place: Place
    pointer: str
    key: str
    repetition_id: str
    is_excerpt: bool


def run_key(values: Iterable[float | None]) -> str | None:
    """Return a text that is equal for copies of a run, of the values of :data:`MEASURES`; null where one is missing."""
    known = [value for value in values if value is not None]
    return " ".join(map(repr, map(float, known))) if len(known) == len(MEASURES) else None


def find_duplicates(gathered: Gathered, others: Mapping[str, Status] = NO_OTHERS) -> Iterator[tuple[str, str, Problem]]:
    """
    Give the submission of each file or run that stands twice, the one that has it first, and the problem at the later.

    ``others`` are the states of submissions that were not gathered.
    """
    submissions = {submission.id: submission for submission in gathered.submissions}
    states = {**others, **{identity: each.status for identity, each in submissions.items()}}
    reads = [read for read in gathered.files if read.role in UNIQUE_ROLES]
    origins = {  # by the hash of each raw file that a file was excerpted from, its path
        read.file_id: {each.origin.sha256: each.origin.path for each in read.results if each.origin} for read in reads
    }
    by_hash: dict[str, Place] = {}
    copied = _find_copies([run for read in reads for run in _list_runs(read)], states)
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
        at = f"{submissions[first[0]].shown}/{first[1]}"
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
        places = [(each.place, each.pointer.partition("#")[0]) for each in (run, first)]
        is_one = run.repetition_id == first.repetition_id or places[0] == places[1]
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
        if (key := run_key(getattr(result, name) for name in MEASURES)) is not None:
            repetition_id, is_excerpt = result_repetition_id(read.sha256, result), result.origin is not None
            yield Run((read.submission_id, read.path), result.pointer, key, repetition_id, is_excerpt)


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


def name_folder(folder: Path) -> str:
    """Return a folder as messages name it: from the project's root where it lies inside, else as it was given."""
    return plain(folder.relative_to(ROOT).as_posix() if folder.is_relative_to(ROOT) else str(folder))


def gather(paths: Iterable[Path], shown: Callable[[Path], str] = str) -> Gathered:
    """Load the submissions in these folders and read their files; ``shown`` gives the name that messages use."""
    return combine(gather_one(folder, shown(folder)) for folder in paths)


def combine(parts: Iterable[Gathered], others: Mapping[str, Status] = NO_OTHERS) -> Gathered:
    """Return several submissions as one value, with the problems between them and with ``others``."""
    return _combine(parts, others)[0]


def _combine(
    parts: Iterable[Gathered], others: Mapping[str, Status]
) -> tuple[Gathered, list[tuple[str, str, Problem]]]:
    """Return the same with the duplicates."""
    whole = Gathered([], [], [])
    for part in parts:
        whole.submissions += part.submissions
        whole.files += part.files
        whole.problems += part.problems
    duplicates = list(find_duplicates(whole, others))
    whole.problems += (problem for *_, problem in duplicates)
    whole.problems += state_problems(whole.submissions, others)
    whole.problems.sort()
    return whole, duplicates


def without_copies(
    parts: Iterable[Gathered], others: Mapping[str, Status] = NO_OTHERS
) -> tuple[Gathered, dict[str, dict[Problem, str]]]:
    """Return several submissions as one value, and why some are left out: they have a run of one before them."""
    whole, duplicates = _combine(listed := list(parts), others)
    found: dict[str, dict[Problem, str]] = {}
    for own, first, problem in duplicates:
        if own != first:
            found.setdefault(own, {})[problem] = first
    if not found:
        return whole, {}
    left = (part for part in listed if not {each.id for each in part.submissions} & found.keys())
    return combine(left, others), found


def gather_one(folder: Path, shown: str, cache: ReadingCache | None = None) -> Gathered:
    """Load one submission, read its files and check both, without a comparison with others."""
    found = read_one(folder, shown, cache)
    for submission in found.submissions:
        for read in found.files:
            found.problems += _reading_problems(read, submission)
        for check in (_find_unread, _find_untied, origin_problems, consistency_problems, day_problems):
            found.problems += check(submission, found.files)
    return found


def read_one(folder: Path, shown: str, cache: ReadingCache | None = None, checked: Container[str] = ()) -> Gathered:
    """
    Load one submission and read its files, which is what others are compared with.

    ``cache`` may have its readings, ``checked`` the hash of its manifest, whose shape is right then.
    """
    try:
        submission, problems = load_submission(folder, shown, checked)
    except OSError as error:  # it costs no other submission its rows
        what = f"cannot be read: {error.strerror or error}"
        return Gathered([], [], [Problem(shown, "", what, "Check the permissions of what is in it.", "R-FILE-8")])
    if submission is None:
        return Gathered([], [], problems)
    return Gathered([submission], read_files(submission, cache or ReadingCache()), problems)


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
