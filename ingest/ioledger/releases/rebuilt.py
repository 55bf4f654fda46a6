"""
A commit as one side of a comparison: its files are taken out of git, built by its own code, and the tables kept.

What is kept lies in a folder by the commit's hash, so that a commit is built once. It holds nothing that cannot be made
again, and may be removed at any time. A commit that was built with other versions of DuckDB and its kin is built anew.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ioledger.problems import Problem
from ioledger.releases import sides
from ioledger.releases.evidence import Evidence, evidence
from ioledger.system import ending, scratch
from ioledger.system.git import asked

if TYPE_CHECKING:
    from collections.abc import Callable

RULE = "R-DIFFERENCE-2"
DATA = "data"
CODE = ("dbt_project.yml", "ingest/ioledger", "models", "profiles.yml", "pyproject.toml", "schemas")
"""What a build without a site is made of, beside the data."""
KEPT = "side.json"
SHOWN_LINES = 6


class Kept(msgspec.Struct, frozen=True):
    """What is kept of a commit beside its tables: what its code is, and the hashes of its manifests."""

    evidence: Evidence
    manifests: dict[str, str]


def commit_of(checkout: Path, name: str) -> str | None:
    """Return the hash of the commit that a name means in a checkout; null where it means none."""
    done = asked(checkout, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return done.stdout.decode().strip() if done.returncode == 0 else None


def cache() -> Path:
    """Return the folder in which builds of commits are kept."""
    stated = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (stated if stated.is_absolute() else Path.home() / ".cache") / "ioledger" / "commits"


def of_commit(  # noqa: PLR0913  (what is built, and where)
    checkout: Path,
    commit: str,
    name: str,
    say: Callable[[str], None],
    kept: Path | None = None,
    *,
    data: str | None = None,
) -> sides.Side | Problem:
    """
    Return the build of a commit, made now where it is not kept; a problem where its own code cannot build it.

    ``data`` is another commit, whose submissions are built by the code of this one.
    """
    folder = (kept or cache()) / (commit if data is None else f"{commit}-with-data-of-{data}")
    if not _is_current(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        if problem := _build(checkout, commit, name, folder, say, data or commit):
            return problem
    found = sides.of_folder(folder, name)
    if isinstance(found, Problem):
        return found
    known = msgspec.json.decode((folder / KEPT).read_bytes(), type=Kept)
    return msgspec.structs.replace(found, evidence=known.evidence, manifests=known.manifests, commit=commit)


def between(
    checkout: Path, before: sides.Side, after: sides.Side, say: Callable[[str], None], kept: Path | None = None
) -> sides.Side | None:
    """
    Return the data of one built by the code of the other, where that tells causes apart: both differ.

    It is the first one's data, or the second one's where that cannot be built. Null where a side is of no known commit,
    and where neither can be built, which is said.
    """
    old, new = before.commit, after.commit
    if old is None or new is None or not all(_differ(checkout, old, new, parts) for parts in ((DATA,), CODE)):
        return None
    for code, data in ((after, before), (before, after)):
        name = f"{code.name} with the data of {data.name}"
        found = of_commit(checkout, str(code.commit), name, say, kept, data=data.commit)
        if not isinstance(found, Problem):
            return found
        say(f"{name}: {found.what}")
    say("Code and data are not told apart.")
    return None


def _differ(checkout: Path, before: str, after: str, parts: tuple[str, ...]) -> bool:
    return asked(checkout, "diff", "--quiet", before, after, "--", *parts).returncode != 0


def _is_current(folder: Path) -> bool:
    """Say whether a build is kept that is whole and was made with what is installed now."""
    if not (folder / KEPT).is_file():
        return False
    side = sides.of_folder(folder)
    return not isinstance(side, Problem) and all(
        made_with == _installed(name) for name, made_with in side.written_with.items() if name != "python"
    )


def _installed(name: str) -> str | None:
    with suppress(PackageNotFoundError):
        return version(name)
    return None


def _build(  # noqa: PLR0913, PLR0917  (what is built, and where)
    checkout: Path, commit: str, name: str, folder: Path, say: Callable[[str], None], data: str
) -> Problem | None:
    """Take a commit out of git, build its tables by its own code, and put them where they are kept."""
    with scratch.folder(folder.parent) as aside:
        tree = aside / "tree"
        say(f"{name}: building commit {commit[:12]} aside; it is kept in {folder}")
        for of, parts in ((commit, CODE), (data, (DATA,))):
            if fault := _taken(checkout, of, parts, tree):
                return Problem(name, "", f"git gives no files of it: {fault}", "Name a commit of this checkout.", RULE)
        if fault := _run(tree, say, name):
            return Problem(name, "", f"its own code does not build it: {fault}", "Compare a commit that builds.", RULE)
        made = tree / "build"
        manifests = sorted((tree / DATA).glob("*/manifest.yaml"))
        hashes = {path.parent.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in manifests}
        known = Kept(evidence(tree, tree / "ingest" / "ioledger"), hashes)
        (made / KEPT).write_bytes(msgspec.json.encode(known))
        shutil.rmtree(made / "dbt", ignore_errors=True)
        with ending.held():
            if folder.exists():
                folder.rename(aside / "replaced")
            made.rename(folder)
    return None


def _taken(checkout: Path, commit: str, parts: tuple[str, ...], tree: Path) -> str:
    """Put parts of a commit into a folder; return what git says where it cannot."""
    there = [part for part in parts if asked(checkout, "cat-file", "-e", f"{commit}:{part}").returncode == 0]
    taken = asked(checkout, "archive", "--format=tar", commit, "--", *there)
    if taken.returncode:
        return taken.stderr.decode(errors="replace").strip()
    with tarfile.open(fileobj=io.BytesIO(taken.stdout)) as archive:
        archive.extractall(tree, filter="data")
    return ""


def _run(tree: Path, say: Callable[[str], None], name: str) -> str:
    """Run the build of a tree by its own code; return its last lines where it fails."""
    variables = {key: text for key, text in os.environ.items() if not key.startswith("IOLEDGER_")}
    variables |= {"PYTHONPATH": str(tree / "ingest"), "IOLEDGER_WORKSPACE": str(tree), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "ioledger", "build", "--no-site"]
    lines: list[str] = []
    with subprocess.Popen(  # noqa: S603  (own program)
        command, cwd=tree, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", pass_fds=scratch.locks(),
    ) as program:  # fmt: skip
        for line in program.stdout or ():
            lines.append(line.strip())
            if line.startswith("  "):
                say(f"{name}: {line.strip()}")
    return " | ".join(lines[-SHOWN_LINES:]) or f"exit code {program.returncode}" if program.returncode else ""
