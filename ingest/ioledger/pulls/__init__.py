"""
The changes of a pull request, read as git objects: allowed, allowed after a review, and forbidden.

A pull request is judged from outside, by the code of the base branch. Nothing of it is checked out: no filter, no link,
no hook and no attribute of a stranger takes effect. Sizes are read before a byte is. What is merged stays as it is,
byte for byte; of its manifest the block ``status`` alone may change.

Source: git's ``diff-tree``, ``ls-tree`` and ``cat-file``, all with ``-z`` or by object.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.submission import NAME, safe_yaml
from ioledger.submission.files import MAX_FILES, MAX_FOLDER_BYTES, PART
from ioledger.system import git_environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLAIN = "100644"
"""The mode of a file that is neither run nor a link nor a repository."""
DATA = "data"
STATUS = b"status:"
LEFT_ALONE = "Restore the merged file; submit a correction as a new folder, and set the state of this one."
LONGEST_PATH = 200
"""Characters below ``data/``: what Windows still stores in somebody's checkout."""
KINDS = {"100755": "an executable file", "120000": "a symbolic link", "160000": "a repository in the repository"}
SILENT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"}


class Change(NamedTuple):
    """A path that a pull request adds, changes or removes: modes and blobs before and after, zeros for nothing."""

    path: str
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str

    @property
    def how(self) -> str:
        """What is done to it, in words: what is no plain file is named."""
        done = "changed" if self.new_mode.strip("0") else "removed"
        done = done if self.old_mode.strip("0") else "added"
        return f"{done}, now {KINDS[self.new_mode]}" if self.new_mode in KINDS else done


class Entry(NamedTuple):
    """A path in the tree of a commit: its mode, its blob, and how many bytes that has (none of what is no file)."""

    path: str
    mode: str
    blob: str
    size: int


def git(repository: Path, *arguments: str) -> bytes:
    """Return what git prints of a repository; raises CalledProcessError where it fails."""
    command = ["git", "--no-optional-locks", "-C", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, check=True, env=git_environment() | SILENT).stdout  # noqa: S603


def fork_point(repository: Path, base: str, head: str) -> str:
    """Return the commit from which a pull request set out; raises LookupError where there is none or more than one."""
    try:
        found = git(repository, "merge-base", "--all", base, head).decode().split()
    except subprocess.CalledProcessError:
        found = []
    if len(found) == 1:
        return found[0]
    what = f"crosses that of {base} {len(found)} times" if found else f"has no common ancestor with that of {base}"
    message = f"the history of {head} {what}: rebase it, and push it again"
    raise LookupError(message)


def list_changes(repository: Path, before: str, after: str) -> list[Change]:
    """Return every path that differs between two commits, sorted; a renamed one is removed and added."""
    raw = git(repository, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", before, after)
    fields = raw.split(b"\0")[:-1]
    found = []
    for about, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_blob, new_blob, _ = about.decode().lstrip(":").split(" ")
        found.append(Change(os.fsdecode(path), old_mode, new_mode, old_blob, new_blob))
    return sorted(found)


def list_names(repository: Path, commit: str, folder: str) -> set[str]:
    """Return the names right below a folder of a commit, none where it has no such folder."""
    listed = git(repository, "ls-tree", "-z", "--name-only", "--full-tree", commit, "--", f"{folder}/")
    return {os.fsdecode(path).rpartition("/")[2] for path in listed.split(b"\0") if path}


def list_entries(repository: Path, commit: str, folder: str) -> Iterator[Entry]:
    """Give every path below a folder of a commit, with sizes; nothing of it is read."""
    listed = git(repository, "ls-tree", "-r", "-z", "--long", "--full-tree", commit, "--", f"{folder}/")
    for line in listed.split(b"\0")[:-1]:
        about, _, path = line.partition(b"\t")
        mode, _, blob, size = about.decode().split()
        yield Entry(os.fsdecode(path), mode, blob, int(size) if size.isdecimal() else 0)


def read_blob(repository: Path, identity: str) -> bytes:
    """Return the bytes of a blob."""
    return git(repository, "cat-file", "blob", identity)


def find_addition(repository: Path, commit: str, path: str) -> str | None:
    """Return the last commit before or at one that added a path; null where none did."""
    arguments = ("log", "--diff-filter=A", "--max-count=1", "--format=%H", commit, "--", path)
    return git(repository, *arguments).decode().strip() or None


class PullChanges(NamedTuple):
    """The changes of a pull request."""

    new: list[str]
    """The names of folders that were not there."""
    states: dict[str, Change]
    """The merged submissions whose manifest differs in ``status`` alone."""
    removed: dict[str, list[Change]]
    outside: list[Change]
    """Everything else that a maintainer may let pass."""
    spoilt: list[Change]
    """What nobody may let pass."""


def divide_changes(repository: Path, found: list[Change], merged: set[str], left: set[str]) -> PullChanges:
    """Part the changes of a pull request; ``merged`` are the submissions of the base branch, ``left`` of its head."""
    result = PullChanges([], {}, {}, [], [])
    for change in found:
        top, _, below = change.path.partition("/")
        name, _, file = below.partition("/")
        if top != DATA or not file or name.startswith("."):
            result.outside.append(change)
        elif name not in merged:
            result.new.extend([] if name in result.new else [name])
        elif name not in left:
            result.removed.setdefault(name, []).append(change)
        elif file == NAME and is_state_alone(repository, change):
            result.states[name] = change
        else:
            result.spoilt.append(change)
    return result


def is_state_alone(repository: Path, change: Change) -> bool:
    """Say whether the manifest before and after are the same bytes, and the same values, but for ``status``."""
    if {change.old_mode, change.new_mode} != {PLAIN}:
        return False
    blobs = change.old_blob, change.new_blob
    if max(int(git(repository, "cat-file", "-s", each)) for each in blobs) > safe_yaml.MAX_BYTES:
        return False
    before, after = (read_blob(repository, each) for each in blobs)
    first, other = ({**read_document(each), "status": None} for each in (before, after))
    return len(first) > 1 and first == other and _without_status(before) == _without_status(after)


def read_document(manifest: bytes) -> dict[str, Any]:
    """Return what a manifest states; nothing where it cannot be read."""
    try:
        document, _ = safe_yaml.load_yaml(manifest)
    except safe_yaml.Mistake:
        return {}
    return document if isinstance(document, dict) else {}


def status_of(repository: Path, blob: str) -> dict[str, Any]:
    """Return the state that a manifest states; nothing where it states none, or cannot be read."""
    status = read_document(read_blob(repository, blob)).get("status")
    return status if isinstance(status, dict) else {}


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
        if change.path.split("/")[2:] == [NAME] and change.how == "changed":
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
        elif entry.mode != PLAIN:
            what = f"it is {KINDS.get(entry.mode, f'of the mode {entry.mode}')}"
            yield Problem(entry.path, "", what, "Add it as a plain file of mode 100644.", "R-PULL-2")
        elif (refusal := detect.too_large(entry.size)) is not None:
            yield Problem(entry.path, "", refusal.what, refusal.remedy, refusal.rule)
