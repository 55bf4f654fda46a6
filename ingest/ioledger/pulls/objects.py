"""
Read a pull request as git objects: its changes, the files of new folders, and their bytes.

Nothing of it is checked out: no filter, no link, no hook and no attribute of a stranger takes effect. Sizes are asked
before a byte is read. Source: git's ``diff-tree``, ``ls-tree`` and ``cat-file``, all with ``-z`` or by object.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from ioledger.system.git import surroundings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

PLAIN = "100644"
"""The mode of a file that is neither run nor a link nor a repository."""
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
    def is_added(self) -> bool:
        """Whether there was nothing before."""
        return not self.old_mode.strip("0")

    @property
    def is_removed(self) -> bool:
        """Whether there is nothing after."""
        return not self.new_mode.strip("0")

    @property
    def how(self) -> str:
        """What is done to it, in words: what is no plain file is named."""
        done = "added" if self.is_added else "removed" if self.is_removed else "changed"
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
    return subprocess.run(command, capture_output=True, check=True, env=_variables()).stdout  # noqa: S603


def fork_point(repository: Path, base: str, head: str) -> str:
    """
    Return the commit from which a pull request set out.

    Raises LookupError where there is none, or more than one: then a merge undoes what no comparison with one of them
    shows.
    """
    try:
        found = git(repository, "merge-base", "--all", base, head).decode().split()
    except subprocess.CalledProcessError:
        found = []
    if len(found) == 1:
        return found[0]
    what = f"crosses that of {base} {len(found)} times" if found else f"has no common ancestor with that of {base}"
    message = f"the history of {head} {what}: rebase it, and push it again"
    raise LookupError(message)


def changes(repository: Path, before: str, after: str) -> list[Change]:
    """Return every path that differs between two commits, sorted; a renamed one is removed and added."""
    raw = git(repository, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", before, after)
    fields = raw.split(b"\0")[:-1]
    found = []
    for about, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_blob, new_blob, _ = about.decode().lstrip(":").split(" ")
        found.append(Change(_text(path), old_mode, new_mode, old_blob, new_blob))
    return sorted(found)


def names(repository: Path, commit: str, folder: str) -> set[str]:
    """Return the names right below a folder of a commit, none where it has no such folder."""
    listed = git(repository, "ls-tree", "-z", "--name-only", "--full-tree", commit, "--", f"{folder}/")
    return {_text(path).rpartition("/")[2] for path in listed.split(b"\0") if path}


def entries(repository: Path, commit: str, folder: str) -> Iterator[Entry]:
    """Give every path below a folder of a commit, with sizes; nothing of it is read."""
    listed = git(repository, "ls-tree", "-r", "-z", "--long", "--full-tree", commit, "--", f"{folder}/")
    for line in listed.split(b"\0")[:-1]:
        about, _, path = line.partition(b"\t")
        mode, _, blob, size = about.decode().split()
        yield Entry(_text(path), mode, blob, int(size) if size.isdecimal() else 0)


def tree(repository: Path, commit: str, folder: str) -> str:
    """Return the hash of a folder of a commit, which covers every name, mode and byte below it."""
    return git(repository, "rev-parse", "--verify", "--end-of-options", f"{commit}:{folder}").decode().strip()


def size(repository: Path, identity: str) -> int:
    """Return how many bytes a blob has, of which none is read."""
    return int(git(repository, "cat-file", "-s", identity))


def blob(repository: Path, identity: str) -> bytes:
    """Return the bytes of a blob."""
    return git(repository, "cat-file", "blob", identity)


def blobs(repository: Path, identities: Iterable[str]) -> Iterator[bytes]:
    """Yield the bytes of these blobs one at a time, by one git process."""
    command = ["git", "--no-optional-locks", "-C", str(repository), "cat-file", "--batch", "--buffer"]
    with tempfile.TemporaryFile() as asked:
        asked.write("".join(f"{identity}\n" for identity in identities).encode())
        asked.seek(0)
        with subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE, env=_variables()) as program:  # noqa: S603
            output = cast("BinaryIO", program.stdout)
            while about := output.readline().split():
                yield output.read(int(about[2]))
                output.readline()


def added_in(repository: Path, commit: str, path: str) -> str | None:
    """Return the last commit before or at one that added a path; null where none did."""
    arguments = ("log", "--diff-filter=A", "--max-count=1", "--format=%H", commit, "--", path)
    return git(repository, *arguments).decode().strip() or None


def _variables() -> dict[str, str]:
    return surroundings() | SILENT


def _text(path: bytes) -> str:
    return os.fsdecode(path)
