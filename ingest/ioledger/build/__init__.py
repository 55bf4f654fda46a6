"""
The build, from raw files to the database and the site: what it is made from, and the programs that it runs.

``.ioledger/built.json`` holds one SHA-256 of everything that tables and database were made from, and one of everything
that the pages were made from besides. A step is skipped where its hash is the same and what it made is there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sysconfig
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ioledger.tables.schema import PACKAGE, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.workspace import Workspace

BUILT = Path(".ioledger") / "built.json"
DATABASE_CODE = ("schemas", "models", "ingest/tests/relations", "dbt_project.yml", "profiles.yml")
"""Below the root, beside the package itself."""
NO_SITE_CODE = frozenset(
    {"data", "build", "dist", "node_modules", "ingest", "bench", "logs", "target", "measurement", "plan"}
)
"""Folders of the root that no page is made from, or only by way of the tables; hidden ones are ignored too."""
SHOWN_LINES = 6
ENDED = "\x00ended "
"""Before the last line that the process of dbt prints: its answer."""


class Inputs(msgspec.Struct, frozen=True):
    """The hashes of what the last build was made from; the site's is null where none was made from these tables."""

    database: str
    site: str | None = None


def database_inputs(data: Path, base: str | None) -> str:
    """Return the SHA-256 of what tables and database are made from; ``base`` is that of a released database."""
    libraries = sorted(path.name for path in Path(sysconfig.get_paths()["purelib"]).glob("*.dist-info"))
    digest = hashlib.sha256(msgspec.json.encode([libraries, str(data), base]))
    add_files(digest, data, (path for path in data.rglob("*") if path.is_file()))
    add_files(digest, PACKAGE, PACKAGE.rglob("*.py"))
    for name in DATABASE_CODE:
        add_files(digest, ROOT, list_sources(ROOT / name))
    return digest.hexdigest()


def site_inputs(database: str) -> str:
    """Return the SHA-256 of what the pages are made from: the tables, the project's files beside them, and Node."""
    digest = hashlib.sha256(f"{database} {identify_node()} {os.environ.get('IOLEDGER_SITE_URL')}".encode())
    for path in sorted(ROOT.iterdir()):
        if path.name not in NO_SITE_CODE and not path.name.startswith("."):
            add_files(digest, ROOT, list_sources(path))
    add_files(digest, ROOT, list_sources(ROOT / "node_modules" / ".ioledger-lock"))
    return digest.hexdigest()


def identify_node() -> str:
    """Return which Node is installed, without starting it."""
    path = shutil.which("node")
    status = Path(path).resolve().stat() if path else None
    return f"{path} {status and (status.st_size, status.st_mtime_ns)}"


def list_sources(place: Path) -> Iterator[Path]:
    """Give a file, or all files below a folder without hidden ones and compiled Python."""
    if place.is_file():
        yield place
    elif place.is_dir():
        for path in place.iterdir():
            if not path.name.startswith(".") and path.name != "__pycache__":
                yield from list_sources(path)


def add_files(digest: hashlib._Hash, root: Path, paths: Iterable[Path]) -> None:
    """Add files to a hash, with their names below a folder."""
    for path in sorted(paths):
        digest.update(os.fsencode(path.relative_to(root)) + b"\0" + path.read_bytes() + b"\0")


@contextmanager
def record_inputs(place: Workspace, inputs: Inputs, aside: Path) -> Iterator[None]:
    """Record what a build was made from once its folders are in place; ``aside`` is on the same disk."""
    written, path = aside / BUILT.name, place.folder / BUILT
    written.write_bytes(msgspec.json.encode(inputs) + b"\n")
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    yield
    written.replace(path)


def last_inputs(place: Workspace) -> Inputs | None:
    """Return what the last build was made from; null where that is not recorded, or its database is gone."""
    try:
        found = msgspec.json.decode((place.folder / BUILT).read_bytes(), type=Inputs)
    except (OSError, msgspec.DecodeError):
        return None
    return found if place.database.is_file() else None


@contextmanager
def start_program(
    command: list[str], env: dict[str, str], *, stdin: int = subprocess.DEVNULL, stderr: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """Start a program in the project's folder with these variables added; it is ended when the block is left."""
    program = subprocess.Popen(  # noqa: S603  (own programs, fixed arguments)
        command, cwd=ROOT, env={**os.environ, **env}, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr,
        encoding="utf-8", errors="replace", start_new_session=True,
    )  # fmt: skip
    try:
        yield program
    finally:
        if program.poll() is None:
            if hasattr(os, "killpg"):
                with suppress(ProcessLookupError):
                    os.killpg(program.pid, signal.SIGKILL)
            program.kill()
        program.communicate()


def tail(printed: str, code: int) -> str:
    """Return the last lines that a program printed, on one line; its exit code where it printed none."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return " | ".join(lines[-SHOWN_LINES:]) or f"exit code {code}"
