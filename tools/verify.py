"""
Builds the commit twice under different conditions and compares everything: ``npm run verify``.

The first build is that of the checkout, made now where it is not up to date. The second one is made from a clone
elsewhere, below a longer path, with another locale, time zone, hash seed and umask, on one processor and one thread.
Every file of ``build/`` and ``dist/`` must come out with the same bytes; a DuckDB file is compared by its sorted
tables, because DuckDB writes others each time. The first differing file of each kind is named, and the exit code is 1.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "ingest"))

from ioledger import releases  # noqa: E402  (the package lies above this script)
from ioledger.releases import commits  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = "a folder with a longer path, and blanks in it"
MEASURED = ("site.log", "dbt")
"""Parts of ``build/`` that tell of a run: what programs printed, and what dbt and the build remember of inputs."""
COMPARED = ("build", "dist")
COMMA = "de_DE"
"""A locale that writes decimals with a comma; where it is not installed, the two builds have C.UTF-8 and C."""
FIRST = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "1"}
SECOND = {"TZ": "Pacific/Chatham", "PYTHONHASHSEED": "4242", "IOLEDGER_DBT_THREADS": "1"}


def main() -> int:
    """Build twice and compare; return 1 when something differs, or when the checkout is not as its commit has it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who ends it ends its clone, too
    if changed := commits.list_changes(ROOT):
        _say("\n".join(map(str, changed)))
        return 1
    with tempfile.TemporaryDirectory(prefix="ioledger-verify-") as scratch:
        clone = clone_commit(Path(scratch) / LONG)
        for place, conditions, umask, processors in ((ROOT, FIRST, 0o022, 0), (clone, second(), 0o077, 1)):
            shown = " ".join(f"{name}={value}" for name, value in conditions.items())
            _say(f"build in {place}: {shown} umask={umask:03o} processors={processors or 'all'}")
            started = time.monotonic()
            if code := build(place, conditions, umask, processors):
                _say(f"the build in {place} ended with {code}")
                return 1
            _say(f"built in {time.monotonic() - started:.0f} s")
        return compare(ROOT, clone)


def second() -> dict[str, str]:
    """Return the conditions of the second build, with the locale of decimal commas where the system has one."""
    found = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()  # noqa: S607
    locale = next((name for name in found if name.startswith(COMMA) and "utf" in name.lower()), "C")
    return {"LC_ALL": locale, **SECOND}


def clone_commit(place: Path) -> Path:
    """Clone the commit to a place, with the packages of Node and of the browser's reader, and no cache of a build."""
    place.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(place)], check=True)  # noqa: S603, S607
    shutil.copytree(
        ROOT / "node_modules", place / "node_modules", symlinks=True, copy_function=_link_file,
        ignore=shutil.ignore_patterns(".cache"),
    )  # fmt: skip
    shutil.copytree(ROOT / ".venv" / "reader", place / ".venv" / "reader", copy_function=_link_file)
    return place


def _link_file(source: str, target: str) -> None:
    """Link a file that does not change; copy it if the folders are on different disks."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def build(place: Path, conditions: dict[str, str], umask: int, processors: int) -> int:
    """Build a checkout with its own code; return the exit code."""
    command = [sys.executable, "-m", "ioledger", "build", "--workspace", str(place)]
    environment = {**os.environ, **conditions, "PYTHONPATH": str(place / "ingest")}
    with _on(processors):
        return subprocess.run(command, cwd=place, check=False, env=environment, umask=umask).returncode  # noqa: S603


@contextmanager
def _on(processors: int) -> Iterator[None]:
    """Let the programs that are started here have so many processors, or all; not every system can say so."""
    if not processors or not hasattr(os, "sched_setaffinity"):
        yield
        return
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(every)[:processors])
    try:
        yield
    finally:
        os.sched_setaffinity(0, every)


def compare(first: Path, other: Path) -> int:
    """Compare what two checkouts have built and name the first differing file of each kind; return 1 for any."""
    found = {
        f"{folder}/{name}": paths
        for folder in COMPARED
        for name, paths in _pairs(first / folder, other / folder).items()
        if name.partition("/")[0] not in MEASURED
    }
    differing = [name for name, paths in found.items() if not _is_same(*paths)]
    for name in {Path(name).suffix: name for name in reversed(differing)}.values():
        _say(f"{name}: the two builds differ")
    if differing:
        _say(f"ioledger diff {first / 'build'} {other / 'build'} lists rows that differ")
    _say(f"release {releases.read_manifest(first / 'build').release_id}")
    _say(f"{len(found):,} files compared, {len(differing):,} differ")
    return 1 if differing else 0


def _pairs(first: Path, other: Path) -> dict[str, tuple[Path | None, Path | None]]:
    """Return both files of each name below two folders, null for one that is missing."""
    mine, yours = releases.list_files(first), releases.list_files(other)
    return {name: (mine.get(name), yours.get(name)) for name in sorted(mine.keys() | yours.keys())}


def _is_same(first: Path | None, other: Path | None) -> bool:
    if first is None or other is None:
        return False
    is_database = first.name == releases.DATABASE
    return releases.sha256(first) == releases.sha256(other) or (
        is_database and releases.digest_database(first, {}, {}) == releases.digest_database(other, {}, {})
    )


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
