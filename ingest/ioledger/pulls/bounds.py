"""
Classify the changes of a pull request: allowed, allowed after a review, and forbidden.

What is merged stays as it is, byte for byte; of its manifest the block ``status`` alone may change. Blobs are compared,
because tables do not show what no reader reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.problems import Problem
from ioledger.pulls import objects
from ioledger.readers import detect
from ioledger.submission import safe_yaml
from ioledger.submission.files import MAX_FILES, MAX_FOLDER_BYTES, PART
from ioledger.submission.manifest import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ioledger.pulls.objects import Change, Entry

DATA = "data"
STATUS = b"status:"
LEFT_ALONE = "Restore the merged file; submit a correction as a new folder, and set the state of this one."
LONGEST_PATH = 200
"""Characters below ``data/``: what Windows still stores in somebody's checkout."""


class PullChanges(NamedTuple):
    """
    The changes of a pull request.

    ``new`` are the names of folders that were not there, ``states`` the merged submissions whose manifest differs in
    ``status`` alone, ``removed`` those of which nothing is left, ``outside`` is everything else that a maintainer may
    let pass, ``spoilt`` what nobody may.
    """

    new: list[str]
    states: dict[str, Change]
    removed: dict[str, list[Change]]
    outside: list[Change]
    spoilt: list[Change]


def divide_changes(repository: Path, found: list[Change], merged: set[str], left: set[str]) -> PullChanges:
    """Part the changes of a pull request; ``merged`` are the submissions of the base branch, ``left`` of its head."""
    result = PullChanges([], {}, {}, [], [])
    new: dict[str, None] = {}
    for change in found:
        parts = change.path.split("/")
        name = parts[1] if len(parts) > 2 and parts[0] == DATA else ""  # noqa: PLR2004  (data, folder, file)
        if not name or name.startswith("."):
            result.outside.append(change)
        elif name not in merged:
            new[name] = None
        elif name not in left:
            result.removed.setdefault(name, []).append(change)
        elif parts[2:] == [NAME] and is_state_alone(repository, change):
            result.states[name] = change
        else:
            result.spoilt.append(change)
    return result._replace(new=list(new))


def is_state_alone(repository: Path, change: Change) -> bool:
    """Say whether the manifest before and after are the same bytes, and the same values, but for ``status``."""
    if change.is_added or change.is_removed or {change.old_mode, change.new_mode} != {objects.PLAIN}:
        return False
    if max(objects.size(repository, each) for each in (change.old_blob, change.new_blob)) > safe_yaml.MAX_BYTES:
        return False
    before, after = (objects.blob(repository, each) for each in (change.old_blob, change.new_blob))
    first, other = ({**_document(each), "status": None} for each in (before, after))
    return len(first) > 1 and first == other and _without_status(before) == _without_status(after)


def status_of(manifest: bytes) -> dict[str, Any]:
    """Return what a manifest states as its state; nothing where it states none, or cannot be read."""
    status = _document(manifest).get("status")
    return status if isinstance(status, dict) else {}


def submitted_by(manifest: bytes) -> str | None:
    """Return the submitter that a manifest states; null if missing or unreadable."""
    stated = _document(manifest).get("submitted_by")
    return stated if isinstance(stated, str) else None


def _document(manifest: bytes) -> dict[str, Any]:
    try:
        document, _ = safe_yaml.load_yaml(manifest)
    except safe_yaml.Mistake:
        return {}
    return document if isinstance(document, dict) else {}


def _without_status(manifest: bytes) -> list[bytes]:
    """Return the lines of a manifest but those of its top-level block ``status`` and blank ones."""
    lines, is_status, seen = [], False, 0
    for line in manifest.split(b"\n"):
        is_status = line.startswith(STATUS) or (is_status and line[:1] in b" \t")
        seen += line.startswith(STATUS)
        lines += [] if (is_status and seen == 1) or not line else [line]
    return lines


def problems(found: PullChanges, added: list[Entry]) -> Iterator[Problem]:
    """Give what no review lets pass: merged files that differ, and new ones that are not to be written or read."""
    for change in found.spoilt:
        what = f"a file of a merged submission is {change.how}"
        if change.path.split("/")[2:] == [NAME] and not (change.is_added or change.is_removed):
            what = "more of a merged manifest differs than its status"
        yield Problem(change.path, "", what, LEFT_ALONE, "R-OWN-2")
    yield from _find_unfit(added)


def _find_unfit(added: list[Entry]) -> Iterator[Problem]:
    """Give what is wrong with the paths, modes and sizes of new files, before one of them is read."""
    if len(added) > MAX_FILES or sum(entry.size for entry in added) > MAX_FOLDER_BYTES:
        what = f"it adds more than {MAX_FILES:,} files or {MAX_FOLDER_BYTES:,} bytes"
        yield Problem(DATA, "", what, "Split the submission.", "R-FILE-10")
        return
    for entry in added:
        parts = entry.path.split("/")[1:]
        if not all(PART.fullmatch(part) for part in parts) or len("/".join(parts)) > LONGEST_PATH:
            remedy = "Use plain names: letters, digits, - _ + , . ( ), and paths of at most 200 characters."
            yield Problem(entry.path, "", "its path has the wrong form", remedy, "R-FILE-4")
        elif entry.mode != objects.PLAIN:
            what = f"it is {objects.KINDS.get(entry.mode, f'of the mode {entry.mode}')}"
            yield Problem(entry.path, "", what, "Add it as a plain file of mode 100644.", "R-PULL-2")
        elif (refusal := detect.too_large(entry.size)) is not None:
            yield Problem(entry.path, "", refusal.what, refusal.remedy, refusal.rule)
