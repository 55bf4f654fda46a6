"""
What a build was made of, so that nothing is made twice: ``build/inputs.json``.

It holds one hash of all that tables and database are made of, one of all that the pages are made of besides, and what
lies in ``build/`` and ``dist/`` since. A step is left out only where its hash is the same and what it made is still
there as it was left, by names, sizes and times.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ioledger.submission.listing import as_text
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ioledger.workspace import Workspace

NAME = "inputs.json"
PACKAGE = Path(__file__).parents[1]
DATABASE_CODE = ("schemas", "models", "dbt_project.yml", "profiles.yml")
"""Below the root, beside the package itself."""
NO_SITE_CODE = frozenset(
    {"data", "build", "dist", "node_modules", "ingest", "bench", "logs", "target", "measurement", "plan"}
)
"""Folders of the root that no page is made of, or none but by the tables; hidden ones are left out too."""
VARIABLES = "IOLEDGER_"
PLACES = frozenset({"IOLEDGER_WORKSPACE", "IOLEDGER_BUILD", "IOLEDGER_DATA", "IOLEDGER_DIST", "IOLEDGER_SCRATCH"})
"""Variables that say where, not what."""
TESTS = frozenset({"IOLEDGER_SAMPLE", "IOLEDGER_VERIFY", "IOLEDGER_CORPUS", "IOLEDGER_IMPORTS"})
"""Variables that only tests read; with them, a build beside tests would replace what those look at."""


class Inputs(msgspec.Struct, frozen=True):
    """What a build was made of, and what it left; the site's are null where none was made with these tables."""

    database: str
    is_documented: bool
    """Whether dbt has documented its models, which the site shows."""
    build: str
    site: str | None = None
    dist: str | None = None


def database_inputs(keys: Mapping[str, str], base: str | None) -> str:
    """Return the hash of what tables and database are made of; ``keys`` are those of the submissions by name."""
    told = sorted((as_text(name), key) for name, key in keys.items())
    digest = hashlib.sha256(msgspec.json.encode([_libraries(), _variables(), base, told]))
    add(digest, PACKAGE, PACKAGE.rglob("*.py"))
    for name in DATABASE_CODE:
        add(digest, ROOT, files(ROOT / name))
    return digest.hexdigest()


def site_inputs(database: str) -> str:
    """Return the hash of what the pages are made of: the tables, everything of the project beside them, and Node."""
    digest = hashlib.sha256(f"{database} {node()}".encode())
    for path in sorted(ROOT.iterdir()):
        if path.name not in NO_SITE_CODE and not path.name.startswith("."):
            add(digest, ROOT, files(path))
    add(digest, ROOT, files(ROOT / "node_modules" / ".ioledger-lock"))
    return digest.hexdigest()


def node() -> str:
    """Return which Node is there, without starting it."""
    path = shutil.which("node")
    told = Path(path).resolve().stat() if path else None
    return f"{path} {told and (told.st_size, told.st_mtime_ns)}"


def left(folder: Path) -> str | None:
    """Return the hash of the names, sizes and times of all files in a folder, None where there is none."""
    if not folder.is_dir():
        return None
    return hashlib.sha256("\n".join(sorted(_told(str(folder), ""))).encode()).hexdigest()


def write(made: Path, database: str, *, is_documented: bool, site: str | None, dist: Path) -> None:
    """Write down what a finished build was made of; ``dist`` is the folder of its site, where it has one."""
    inputs = Inputs(database, is_documented, left(made) or "", site, left(dist) if site else None)
    (made / NAME).write_bytes(msgspec.json.encode(inputs) + b"\n")


def last(place: Workspace) -> Inputs | None:
    """Return what the last build was made of, None where that is not told or ``build/`` is not as it was left."""
    try:
        found = msgspec.json.decode((place.build / NAME).read_bytes(), type=Inputs)
    except (OSError, msgspec.DecodeError):
        return None
    return found if left(place.build) == found.build else None


def linked(folder: Path, made: Path) -> None:
    """Make a folder with the same files as another; each is one file with two names where the disk can do that."""
    shutil.copytree(folder, made, copy_function=_linked)


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _libraries() -> list[str]:
    """Return the packages beside this one, with their versions as their folders say them."""
    return sorted(path.name for path in Path(sysconfig.get_paths()["purelib"]).glob("*.dist-info"))


def _variables() -> list[tuple[str, str]]:
    wanted = (name for name in os.environ if name.startswith(VARIABLES) and name not in PLACES | TESTS)
    return [(name, os.environ[name]) for name in sorted(wanted)]


def files(place: Path) -> Iterator[Path]:
    """Give a file, or all below a folder without hidden ones and what Python compiled."""
    if place.is_file():
        yield place
    elif place.is_dir():
        for path in place.iterdir():
            if not path.name.startswith(".") and path.name != "__pycache__":
                yield from files(path)


def add(digest: hashlib._Hash, root: Path, paths: Iterable[Path]) -> None:
    """Add files to a hash, with their names below a folder."""
    for path in sorted(paths):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")


def _told(folder: str, prefix: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                yield from _told(entry.path, f"{prefix}{entry.name}/")
            elif prefix or entry.name != NAME:
                yield f"{prefix}{entry.name} {status.st_size} {status.st_mtime_ns}"
