"""
The verdict on a pull request, given by the code of the base branch.

From the commit of a pull request only the files of new folders below ``data/`` and the manifests whose state changes
are taken, as bytes, into a scratch copy of the submissions of the base branch; they are checked there. Everything else
that it changes is named.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger import pulls
from ioledger.build.checking import check
from ioledger.problems import Problem
from ioledger.pulls import DATA
from ioledger.submission import NAME
from ioledger.submission.gather import find_duplicates, folders, gather, gather_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ioledger.pulls import Change, Entry, PullChanges
    from ioledger.submission.files import FileRead

    Owner = Callable[[str], str | None]


class Voice(msgspec.Struct, frozen=True):
    """A statement about a submission, or in somebody's name."""

    file: str
    kind: str
    """The state that is set, or ``reply``."""
    about: str
    name: str | None
    """The account that owns the submission, or who is said to reply; null where nobody is known."""
    text: str
    needs_review: bool


def states(repository: Path, found: PullChanges, author: str, owner: Owner) -> Iterator[Voice]:
    """
    Give every state that is set; ``owner`` tells the account that brought a merged submission.

    That a dispute is over is not for its owner alone to say.
    """
    for name, change in sorted(found.states.items()):
        stated, before = (pulls.status_of(repository, blob) for blob in (change.new_blob, change.old_blob))
        words = (stated.get("reason"), stated.get("superseded_by") and f"superseded by {stated['superseded_by']}")
        whose, kind = owner(name), str(stated.get("state", "active"))
        is_settled = before.get("state") == "disputed" and kind != "disputed"
        needs_review = is_settled or whose is None or not _same(whose, author)
        yield Voice(change.path, kind, name, whose, "; ".join(str(word) for word in words if word), needs_review)


def replies(read: Iterable[FileRead], author: str) -> Iterator[Voice]:
    """Yield every reply in new files."""
    for each in read:
        for row in each.reading.rows.get("replies", ()) if each.reading else ():
            name = str(row.get("replied_by") or "")
            about = "/".join(str(row[key]) for key in ("claim_submission_id", "claim_id") if row.get(key))
            is_own = _same(name.removeprefix("@"), author)
            yield Voice(f"{DATA}/{each.submission_id}/{each.path}", "reply", about, name,
                        str(row.get("reply") or ""), not is_own)  # fmt: skip


def _same(name: str, account: str) -> bool:
    """Say whether a name is an account of GitHub, whose names have no capitals of their own."""
    return bool(account) and name.casefold() == account.casefold()


_REVIEW = "An approving review of this commit, by a maintainer who is not its author, confirms it."
_BELOW_DATA = re.compile(rf"{DATA}\W", re.IGNORECASE)
"""Below data/, or below what some file system takes for it: ``Data``, ``data.``."""
_DANGEROUS = re.compile(
    r"\.|tools/|.*(?:lock|lock\.json|\.lock)$|.*requirements.*\.txt$|package\.json$|pyproject\.toml$"
)
"""Paths that decide what runs: hidden files and folders, tools, what is installed."""


class PullRequest(NamedTuple):
    """Input of a verdict: the commit to merge, that of the base branch, and accounts."""

    repository: Path
    base: str
    head: str
    author: str
    reviewers: tuple[str, ...]
    """Maintainers who approved this commit."""
    owner: Owner
    """Gives the account that brought a merged submission."""


class Folder(msgspec.Struct, frozen=True):
    """A new folder: its name, who its manifest says submitted it, and how many files and bytes it has."""

    name: str
    submitted_by: str | None
    file_count: int
    size_bytes: int


class Outside(msgspec.Struct, frozen=True):
    """A path outside of the folder, what is done to it, and whether it decides what runs."""

    path: str
    how: str
    is_dangerous: bool


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a verdict; it has passed where nothing is wrong and nothing is left to confirm."""

    commit: str
    base: str
    author: str
    folders: list[Folder]
    states: list[str]
    voices: list[Voice]
    outside: list[Outside]
    outside_counts: dict[str, int]
    needs_review: bool
    confirmed_by: list[str]
    problem_count: int
    problems: list[Problem]
    warnings: list[Problem]
    is_sound: bool
    """Whether the new files can be read and built."""
    has_passed: bool


def judge(pull: PullRequest, scratch: Path) -> Verdict:
    """
    Judge a pull request, and leave its data beside that of the base branch in ``data/`` of a scratch folder.

    Raises subprocess.CalledProcessError where the commits are not there, LookupError where what they have in common is
    not one commit.
    """
    repository, head, scratch = pull.repository, pull.head, scratch.resolve()
    before = pulls.fork_point(repository, pull.base, head)
    merged = pulls.list_names(repository, pull.base, DATA) | pulls.list_names(repository, before, DATA)
    left = pulls.list_names(repository, head, DATA)
    found = pulls.divide_changes(repository, pulls.list_changes(repository, before, head), merged, left)
    if found.removed:
        _sort_removed(pull, found)
    listed = pulls.list_entries(repository, head, DATA) if found.new else ()
    added = [entry for entry in listed if entry.path.split("/")[1] in set(found.new)]
    problems = list(pulls.problems(found, added))
    voices = list(states(repository, found, pull.author, pull.owner))
    warnings: list[Problem] = []
    taken: list[Folder] = []
    if not problems:
        taken = _take(pull, found, added, scratch)
        problems, warnings = _check_folders([*found.new, *found.states], scratch)
        gathered = [gather_one(scratch / DATA / name, f"{DATA}/{name}") for name in found.new]
        voices += replies((read for each in gathered for read in each.files), pull.author)
    is_sound = bool(taken or found.states) and not problems
    waiting, paths = _list_unconfirmed(found, voices), [change.path for change in found.outside]
    if not pull.reviewers:
        problems += waiting
    return Verdict(
        commit=head,
        base=pull.base,
        author=pull.author,
        folders=taken,
        states=sorted(found.states),
        voices=sorted(voices, key=lambda voice: not voice.needs_review),
        outside=_outside(found.outside),
        outside_counts=dict(sorted(Counter("".join(path.partition("/")[:2]) for path in paths).items())),
        needs_review=bool(waiting),
        confirmed_by=list(pull.reviewers),
        problem_count=len(problems),
        problems=problems,
        warnings=warnings,
        is_sound=is_sound,
        has_passed=not problems,
    )


def _sort_removed(pull: PullRequest, found: PullChanges) -> None:
    """Let a review confirm the removal of a submission whose runs another one has; any other is refused."""
    with tempfile.TemporaryDirectory() as base:
        _write(pull.repository, list(pulls.list_entries(pull.repository, pull.base, DATA)), Path(base))
        twice = find_duplicates(gather(folders(Path(base) / DATA)))
        pairs = {frozenset((own, first)) for own, first, _ in twice if own != first}
    for name, removed in found.removed.items():
        others = {other for pair in pairs if name in pair for other in pair - {name}}
        (found.outside if others - found.removed.keys() else found.spoilt).extend(removed)


def _take(pull: PullRequest, found: PullChanges, added: Sequence[Entry], scratch: Path) -> list[Folder]:
    """Write the data of the base branch and of the pull request into a folder; return the new folders."""
    repository = pull.repository
    entries = pulls.list_entries(repository, pull.base, DATA)
    _write(repository, [each for each in entries if each.path.split("/")[1] not in found.removed], scratch)
    _write(repository, added, scratch)
    for change in found.states.values():
        (scratch / change.path).write_bytes(pulls.read_blob(repository, change.new_blob))
    folders = []
    for name in found.new:
        sizes = [entry.size for entry in added if entry.path.startswith(f"{DATA}/{name}/")]
        manifest = scratch / DATA / name / NAME
        by = pulls.read_document(manifest.read_bytes() if manifest.is_file() else b"").get("submitted_by")
        folders.append(Folder(name, by if isinstance(by, str) else None, len(sizes), sum(sizes)))
    return folders


def _write(repository: Path, entries: Iterable[Entry], scratch: Path) -> None:
    """Write the plain files of a tree; other entries of the base branch below ``data/`` are not submissions."""
    for entry in entries:
        if entry.mode == pulls.PLAIN:
            (scratch / entry.path).parent.mkdir(parents=True, exist_ok=True)
            (scratch / entry.path).write_bytes(pulls.read_blob(repository, entry.blob))


def _check_folders(names: Sequence[str], scratch: Path) -> list[list[Problem]]:
    """Return problems and warnings of folders checked with all others; places have the paths of the pull request."""
    if not names:
        return [[], []]
    data = scratch / DATA
    _, *several = check(tuple(data / name for name in names), data, plausibility=True)
    texts = ("file", "place", "what", "remedy", "rule")
    return [
        [Problem(*(getattr(each, name).replace(f"{data}/", f"{DATA}/") for name in texts)) for each in problems]
        for problems in several
    ]


def _outside(outside: Sequence[Change]) -> list[Outside]:
    """Return paths outside of the folder, those that decide what runs first."""
    listed = [Outside(change.path, change.how, bool(_DANGEROUS.match(change.path))) for change in outside]
    return sorted(listed, key=lambda each: (not each.is_dangerous, each.path))


def _list_unconfirmed(found: PullChanges, voices: Sequence[Voice]) -> list[Problem]:
    """Return a problem for everything that an approving review has to confirm."""
    problems = []
    for voice in voices:
        if not voice.needs_review:
            continue
        if voice.kind == "reply":
            what, rule = f"a reply in the name of {voice.name}", "R-PULL-4"
        else:
            whose = f"the account {voice.name}" if voice.name else "an unknown account"
            what, rule = f"the state {voice.kind} of {voice.about}, which {whose} submitted", "R-PULL-3"
        problems.append(Problem(voice.file, "", what, _REVIEW, rule))
    if len(found.new) > 1:
        what = f"{len(found.new)} new folders: {', '.join(found.new)}"
        problems.append(Problem(DATA, "", what, f"Open one pull request for each. {_REVIEW}", "R-PULL-1"))
    if found.new or found.states or any(_BELOW_DATA.match(change.path) for change in found.outside):
        problems += [
            Problem(each.path, "", f"{each.how} outside of the new folder", _REVIEW, "R-PULL-1")
            for each in _outside(found.outside)
        ]
    return problems


LONGEST_TEXT, MOST_ROWS = 400, 50


def encode_report(report: object) -> bytes:
    """
    Return a report as one JSON document, with long texts and lists cut.

    Beside a list that was cut stands ``<name>_left_out``: how many of its rows are not there.
    """
    return json.dumps(_cut(msgspec.to_builtins(report, enc_hook=str))).encode() + b"\n"


def _cut(value: Any) -> Any:  # noqa: ANN401  (JSON)
    if isinstance(value, str):
        more = len(value) - LONGEST_TEXT
        return value if more <= 0 else f"{value[:LONGEST_TEXT]}… ({more:,} more characters)"
    if isinstance(value, list | tuple):
        return [_cut(each) for each in value[:MOST_ROWS]]
    if not isinstance(value, dict):
        return value
    long = {name: len(each) - MOST_ROWS for name, each in value.items() if isinstance(each, list | tuple)}
    cut = {f"{name}_left_out": more for name, more in long.items() if more > 0}
    return {name: _cut(each) for name, each in value.items()} | cut
