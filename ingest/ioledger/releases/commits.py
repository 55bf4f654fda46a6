"""Commits of a checkout: hash and day of one, files that differ from it, and its tables, built by its own code."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ioledger.problems import Problem
from ioledger.releases import MANIFEST
from ioledger.system import run_git, scratch_folder

if TYPE_CHECKING:
    from collections.abc import Callable

RULE = "R-RELEASE-8"
BUILT_FROM = ("data", "dbt_project.yml", "ingest/ioledger", "models", "profiles.yml", "pyproject.toml", "schemas")
"""Paths of a checkout that a build without a site reads."""
SHOWN_LINES = 6


class Commit(NamedTuple):
    """A commit: its hash, and its day in UTC."""

    sha: str
    day: str


def read_head(checkout: Path) -> Commit | Problem:
    """Return the commit of a checkout, or why it has none."""
    found = _run_git(checkout, "log", "-1", "--format=%H %ct")
    if isinstance(found, Problem):
        return found
    sha, _, seconds = found.strip().partition(" ")
    return Commit(sha, datetime.fromtimestamp(int(seconds), UTC).date().isoformat())


def list_changes(checkout: Path) -> list[Problem]:
    """Return a problem for each file of a checkout that differs from its commit; ignored files are left out."""
    found = _run_git(checkout, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    if isinstance(found, Problem):
        return [found]
    what, remedy = "it differs from the commit", "Commit it, or put it away: git stash -u."
    return [Problem(str(checkout / line[3:]), "", what, remedy, RULE) for line in found.split("\0") if line]


def find_commit(checkout: Path, name: str) -> str | None:
    """Return the hash of the commit that a name stands for, null where it stands for none."""
    found = _run_git(checkout, "rev-parse", "--quiet", "--verify", "--end-of-options", f"{name}^{{commit}}")
    return None if isinstance(found, Problem) else found.strip()


def _run_git(checkout: Path, *arguments: str) -> str | Problem:
    remedy = "Name a clone of the project, and install git."
    try:
        done = run_git(checkout, *arguments)
    except OSError as error:
        return Problem(str(checkout), "", f"git cannot be run: {error.strerror}", remedy, RULE)
    if done.returncode:
        what = done.stderr.decode("utf-8", "replace") or f"git ended with {done.returncode}"
        return Problem(str(checkout), "", what, remedy, RULE)
    return done.stdout.decode("utf-8", "surrogateescape")


def default_cache() -> Path:
    """Return the folder in which builds of commits are cached."""
    stated = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (stated if stated.is_absolute() else Path.home() / ".cache") / "ioledger" / "commits"


def build_commit(
    checkout: Path, commit: str, name: str, say: Callable[[str], None], cache: Path | None
) -> Path | Problem:
    """Return the folder with the tables of a commit, built now where it is not cached for this version of DuckDB."""
    folder = (cache or default_cache()) / f"{commit}-duckdb-{version('duckdb')}"
    if (folder / MANIFEST).is_file():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    say(f"{name}: building commit {commit[:12]} in {folder}")
    with scratch_folder(folder.parent) as aside:
        archive = run_git(checkout, "archive", "--format=tar", commit, "--", *BUILT_FROM)
        if archive.returncode:
            what = f"git gives no files of it: {archive.stderr.decode(errors='replace')}"
            return Problem(name, "", what, "Name a commit of this checkout.", "R-DIFFERENCE-1")
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
            tar.extractall(aside, filter="data")
        variables = {key: text for key, text in os.environ.items() if not key.startswith("IOLEDGER_")}
        variables |= {"PYTHONPATH": str(aside / "ingest"), "IOLEDGER_WORKSPACE": str(aside), "PYTHONSAFEPATH": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "ioledger", "build", "--no-site"], cwd=aside, env=variables, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if done.returncode:
            lines = [line.strip() for line in done.stdout.decode(errors="replace").splitlines()]
            what = f"its own code does not build it: {' | '.join(lines[-SHOWN_LINES:])}"
            return Problem(name, "", what, "Compare a commit that builds.", "R-DIFFERENCE-1")
        (aside / "build").rename(folder)
    return folder
