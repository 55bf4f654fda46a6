"""
Real builds, killed at random moments: ``python -m bench.kills``.

A workspace of its own holds two submissions of made reports. Before each kill a manifest is changed, so that there is
something to build; then a build of tables and pages is begun, and all processes of its group are killed (SIGKILL) after
a random part of the time that a whole one took. The next command must find the state from before, or the new one,
whole: both folders as one build left them. At the end a build must leave nothing beside its folders, and its tables
must have the bytes of those that are made anew from every file.

The renames take no time that a random moment would find. So every fifth kill waits for the first of them (inotify,
Linux) and comes within a random part of two milliseconds after it; one by one they are killed by
``ingest/tests/test_switch.py``.

Each kill is a line: when, in which stage the build was, which state was found, how much it left to be removed, and
whether the renames had begun and not ended.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench import many
from bench.generate import real_files
from ioledger.build import unchanged
from ioledger.system import switch
from ioledger.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

SEED, REPORTS = 20261122, 12
COMMAND = str(Path(sys.executable).with_name("ioledger"))
NAMES = ("2026-11-bench-one", "2026-11-bench-two")
TITLE = re.compile(r"(?m)^title: .*$")
AIMED = 5
"""One of so many kills is aimed at the renames."""
AFTER_SECONDS, MOST_SECONDS = 0.002, 900.0
_MOVED_TO = 0x80
"""IN_MOVED_TO of inotify(7)."""


class State(NamedTuple):
    """What stands in a workspace: which title, and whether both folders are whole and of one build."""

    title: str
    is_whole: bool


def _data(place: Workspace) -> None:
    """Write two submissions of made reports."""
    manifest = many.manifest()
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        reports = [path.read_bytes() for path in real_files(Path(scratch), 2 * REPORTS, SEED)]
    for number, name in enumerate(NAMES):
        many.submission(place.data / name, manifest, reports[number::2])


def _retitled(place: Workspace, title: str) -> None:
    path = place.data / NAMES[0] / "manifest.yaml"
    path.write_text(TITLE.sub(f"title: {title}", path.read_text(encoding="utf-8")), encoding="utf-8")


def _state(place: Workspace) -> State:
    """Ask the next command for the title, then look at the folders."""
    query = f"select title from submissions where submission_id = '{NAMES[0]}'"  # noqa: S608  (a constant)
    asked = [COMMAND, "sql", query, "--json", "--workspace", str(place.folder)]
    done = subprocess.run(asked, check=True, capture_output=True, text=True)  # noqa: S603
    last = unchanged.last(place)
    is_whole = last is not None and last.dist == (unchanged.left(place.dist) if last.site else None)
    return State(json.loads(done.stdout)[0]["title"], is_whole)


def _beside(place: Workspace) -> list[str]:
    """Return what lies in a workspace that a build leaves there only when it is killed."""
    return sorted(path.name for path in place.folder.iterdir() if path.name.startswith(".ioledger-"))


class _Renames:
    """Tells of the first rename of a build that ends: that of all its folders together, into the workspace."""

    def __init__(self, place: Workspace) -> None:
        """Watch the folder of a workspace."""
        libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = libc.inotify_init1(os.O_CLOEXEC)
        if libc.inotify_add_watch(self._descriptor, os.fsencode(place.folder), _MOVED_TO) < 0:
            raise OSError(ctypes.get_errno(), "a folder cannot be watched", str(place.folder))

    def wait(self) -> None:
        """Wait for it. Raises TimeoutError after a quarter of an hour."""
        told = b""
        while switch.NAME.encode() not in told:
            if not select.select([self._descriptor], [], [], MOST_SECONDS)[0]:
                raise TimeoutError
            told = os.read(self._descriptor, 1 << 16)
        os.close(self._descriptor)


def _killed(place: Workspace, after: float, options: Sequence[str], *, is_aimed: bool) -> str:
    """Begin a build and kill it and its group after so many seconds; return the stage it was in."""
    command = [COMMAND, "build", "--workspace", str(place.folder), *options]
    renames = _Renames(place) if is_aimed else None
    with tempfile.TemporaryFile("w+") as printed:
        with subprocess.Popen(command, stderr=printed, start_new_session=True) as program:  # noqa: S603
            if renames is not None:
                renames.wait()
            try:
                program.wait(after)
            except subprocess.TimeoutExpired:
                os.killpg(program.pid, signal.SIGKILL)
        printed.seek(0)
        done = [line.split()[0] for line in printed if line.startswith("  ") and line[2] != " "]
    return "at the renames" if is_aimed else f"after {done[-1]}" if done else "at its start"


def _built(place: Workspace, *options: str) -> dict[str, object]:
    """Build to the end; return the files of the tables with their hashes."""
    subprocess.run([COMMAND, "build", "--workspace", str(place.folder), *options], check=True)  # noqa: S603
    files: dict[str, object] = json.loads((place.build / "manifest.json").read_bytes())["files"]
    return files


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201  (the log)


def _at_random(place: Workspace, kills: int, seconds: float, options: Sequence[str]) -> int:
    """Kill so many builds at random moments of this many seconds; return how often the state was no good."""
    moments, faults, before = random.Random(SEED), 0, _state(place).title  # noqa: S311  (reproducible, not secret)
    for number in range(1, kills + 1):
        title = f"Kill {number}"
        _retitled(place, title)
        is_aimed = number % AIMED == 0
        after = moments.uniform(0, AFTER_SECONDS if is_aimed else seconds)
        stage = _killed(place, after, options, is_aimed=is_aimed)
        left = _beside(place)
        is_between, found = switch.NAME in left, _state(place)
        is_good = found.is_whole and found.title in {before, title}
        which = "new" if found.title == title else "old"
        state, far = which if is_good else "BROKEN", "; between two renames" if is_between else ""
        _say(f"{number:>3}  {after:7.3f} s  {stage:<20} {state}  left: {len(left)}{far}")
        faults, before = faults + (not is_good), found.title
    return faults


def main() -> int:
    """Kill builds and print a line for each; return 1 when one left something else than the old or the new state."""
    parser = argparse.ArgumentParser(prog="python -m bench.kills", description="Kills builds and looks what they left.")
    parser.add_argument("--kills", type=int, default=50, help="at random moments (default 50)")
    parser.add_argument("--in", dest="parent", type=Path, metavar="DIR", help="build below this folder")
    parser.add_argument("--no-site", action="store_true", help="build the tables alone")
    told = parser.parse_args()
    options = ["--no-site"] * told.no_site
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-", dir=told.parent) as scratch:
        place = Workspace(Path(scratch))
        _data(place)
        _built(place, *options)
        _retitled(place, "First")
        started = time.monotonic()
        _built(place, *options)
        seconds = time.monotonic() - started
        _say(f"a whole build takes {seconds:.1f} s; seed {SEED}")
        faults = _at_random(place, told.kills, seconds, options)
        last = _built(place, *options)
        is_clean, is_same = not _beside(place), last == _built(place, "--full-check", *options)
    _say(f"{told.kills} kills, {faults} left a broken state; nothing left at the end: {is_clean}; "
         f"the same tables as made anew: {is_same}")  # fmt: skip
    return 0 if is_clean and is_same and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
