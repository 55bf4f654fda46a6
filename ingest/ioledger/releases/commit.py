"""The commit that a checkout stands at: its hash, the day it was made, and whether anything differs from it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from ioledger.problems import Problem
from ioledger.system.git import asked

if TYPE_CHECKING:
    from pathlib import Path

RULE = "R-RELEASE-8"


class Commit(NamedTuple):
    """A commit: its hash, and its day in UTC."""

    sha: str
    day: str


def of_checkout(checkout: Path) -> Commit | Problem:
    """Return the commit of a checkout, or why it has none."""
    found = git(checkout, "log", "-1", "--format=%H %ct")
    if isinstance(found, Problem):
        return found
    sha, _, seconds = found.strip().partition(" ")
    return Commit(sha, datetime.fromtimestamp(int(seconds), UTC).date().isoformat())


def changes(checkout: Path) -> list[Problem]:
    """Return each file of a checkout that is not as its commit has it; what git ignores is none."""
    found = git(checkout, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    if isinstance(found, Problem):
        return [found]
    remedy = "Commit it, or put it away: git stash -u."
    return [
        Problem(str(checkout / line[3:]), "", "it is not as the commit has it", remedy, RULE)
        for line in found.split("\0")
        if line
    ]


def of_tag(checkout: Path, tag: str) -> str | None:
    """Return the commit that a tag names, or None where the checkout has no such tag."""
    found = git(checkout, "rev-parse", "--quiet", "--verify", f"refs/tags/{tag}^{{commit}}")
    return None if isinstance(found, Problem) else found.strip()


def git(checkout: Path, *arguments: str) -> str | Problem:
    """Return what git prints, or why it fails."""
    remedy = "Name a clone of the project, and have git installed."
    try:
        done = asked(checkout, *arguments)
    except OSError as error:
        return Problem(str(checkout), "", f"git cannot be run: {error.strerror}", remedy, RULE)
    if done.returncode:
        said = " ".join(done.stderr.decode("utf-8", "replace").split()) or f"git ended with {done.returncode}"
        return Problem(str(checkout), "", said, remedy, RULE)
    return done.stdout.decode("utf-8", "surrogateescape")
