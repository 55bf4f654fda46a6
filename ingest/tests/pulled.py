"""A repository with merged submissions, and pull requests into it made of git's objects: any path, mode and byte."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import hostile
from ioledger import pulls
from ioledger.pulls.verdict import PullRequest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Files = Mapping[str, bytes | tuple[str, bytes] | None]

MERGED, NEW = "2026-11-alice-disk", "2026-11-mallory-disk"
ALICE, MALLORY = "alice", "mallory"
LINK, RUN, REPOSITORY = "120000", "100755", "160000"
STATUS = b"status: {state: retracted, reason: We withdraw it, changed_on: 2026-11-22}\n"


def repository(folder: Path, files: Files) -> str:
    """Make a repository with one commit, which is ``main``; return the commit."""
    folder.mkdir(parents=True, exist_ok=True)
    _git(folder, "init", "-q", "--bare", "-b", "main", str(folder / ".git"))
    _git(folder, "config", "core.bare", "false")
    return commit(folder, "main", files, author=ALICE)


def commit(folder: Path, branch: str, files: Files, parent: str = "", author: str = MALLORY) -> str:
    """
    Commit files to a branch, and return the commit.

    A file is its bytes, or its mode with its bytes (of a repository: with the hash of a commit), or None to remove it.
    """
    lines = [
        f"commit refs/heads/{branch}\ncommitter {author} <{author}@example.org> 1700000000 +0000\ndata 1\nm\n".encode()
    ]
    if parent:
        lines.append(f"from {parent}\n".encode())
    for path, what in files.items():
        name = json.dumps(path, ensure_ascii=False).encode("utf-8", "surrogateescape")
        mode, data = what if isinstance(what, tuple) else (pulls.PLAIN, what)
        if data is None:
            lines.append(b"D %s\n" % name)
        elif mode == REPOSITORY:
            lines.append(b"M 160000 %s %s\n" % (data, name))
        else:
            lines.append(b"M %s inline %s\ndata %d\n%s\n" % (mode.encode(), name, len(data), data))
    _git(folder, "fast-import", "--quiet", "--force", given=b"".join(lines))
    return _git(folder, "rev-parse", f"refs/heads/{branch}").decode().strip()


def held(folder: Path) -> dict[str, bytes]:
    """Return the files of a submission as a pull request adds them."""
    names = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {f"data/{folder.name}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in names}


def merged(scratch: Path) -> dict[str, bytes]:
    """Return the files of the merged submission."""
    return held(hostile.sound(scratch / MERGED))


def new(scratch: Path, name: str = NEW) -> dict[str, bytes]:
    """Return the files of a sound submission with numbers of its own."""
    folder = hostile.sound(scratch / name)
    report = json.loads((folder / hostile.REPORT).read_bytes())
    for operation in ("read", "write"):
        report["jobs"][0][operation]["lat_ns"]["mean"] += len(name)
        report["jobs"][0][operation]["lat_ns"]["stddev"] += len(name)
    hostile.replace(folder, json.dumps(report).encode())
    return held(folder)


def retracted(manifest: bytes) -> bytes:
    """Return a manifest that states that it is retracted."""
    return manifest.replace(b"affiliation: independent\n", b"affiliation: independent\n" + STATUS, 1)


def asked(folder: Path, head: str, author: str = MALLORY, reviewers: tuple[str, ...] = ()) -> PullRequest:
    """Return what a verdict on a commit is asked; whoever committed a submission to ``main`` is its owner."""
    base = _git(folder, "rev-parse", "refs/heads/main").decode().strip()
    return PullRequest(folder, base, head, author, reviewers, {MERGED: ALICE}.get)


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=folder, input=given, check=True, capture_output=True).stdout  # noqa: S603
