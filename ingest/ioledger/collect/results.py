"""
The results that a manifest is for: which tool wrote them, in which version, and when they were measured.

The tool that is installed and the day of today tell nothing of that: only the files do.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.loading import archives, files
from ioledger.model import Reading, Source
from ioledger.problems import Problem, plain
from ioledger.readers import detect
from ioledger.submission import dates
from ioledger.submission.shape import FROM_RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

HOST = re.compile(rb'"hostname"\s*:\s*"([\w.:-]{1,255})"', re.ASCII)
DEVICE = re.compile(rb'"filename"\s*:\s*"(\\?/dev\\?/\w{1,32})"', re.ASCII)
LOCAL = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1", re.IGNORECASE)
MAX_BYTES = 64 << 20
MAX_FILES = 1000
"""How much of a folder is looked through for results; larger ones are named on the command line."""


class Runs(NamedTuple):
    """Result files by name, as they were read."""

    files: tuple[tuple[str, Reading], ...]
    targets: frozenset[tuple[str, str]] = frozenset()
    """Hosts and devices that reports of fio name: ``hostname`` or ``device``, and the name."""

    def __bool__(self) -> bool:
        """Say whether there is any result."""
        return bool(self.files)

    def unseen(self, day: date) -> str | None:
        """Return why a machine that is read on a day does not tell how it was at these runs, or None."""
        return dates.find_unseen_run(self.files, day)

    def elsewhere(self, here: frozenset[str], root: Path) -> str | None:
        """Return why the runs were on another machine than this, which has these names and these files; or None."""
        for kind, name in sorted(self.targets):
            if kind == "hostname" and name.casefold() not in here and not LOCAL.fullmatch(name):
                return "the results name another host than this machine"
            if kind == "device" and not (root / name.lstrip("/")).exists():
                return f"the results name {name}, which this machine does not have"
        return None

    def are_of(self, here: frozenset[str]) -> bool:
        """Say whether a report names a machine, and this one, which has these names."""
        hosts = [name.casefold() for kind, name in self.targets if kind == "hostname" and not LOCAL.fullmatch(name)]
        return bool(hosts) and here.issuperset(hosts)

    def tested_on(self) -> str:
        """Return the first day (UTC) that the results tell, or unknown."""
        days = [day for _, reading in self.files for day in dates.run_days(reading)]
        return min(days).isoformat() if days else "unknown"

    def tool(self) -> dict[str, Any]:
        """Return tool and version as the results state them; what they do not state is unknown, with the reason."""
        readings = [reading for _, reading in self.files]
        return {
            "tool": one_of("tools", [reading.tool for reading in readings]) or _silent(readings),
            "tool_version": one_of("versions", [reading.tool_version for reading in readings]) or _silent(readings),
        }


NO_RUNS = Runs(())


def _silent(readings: list[Reading]) -> dict[str, Any]:
    return {"unknown": "the results do not state it" if readings else FROM_RESULTS}


def one_of(what: str, told: list[str | None]) -> dict[str, Any] | None:
    """
    Return the one value that files state, with a note when some do not; unknown with all of them where they differ.

    None when no file states any.
    """
    values = sorted({value for value in told if value is not None})
    silent = told.count(None)
    if len(values) > 1:
        return {"unknown": f"the files state {len(values)} {what}: {', '.join(values)}"}
    note = {"note": f"{silent} of {len(told)} files do not state it"} if silent else {}
    return {"value": values[0], "how_known": "collected", **note} if values else None


def _targets(data: bytes) -> set[tuple[str, str]]:
    """Return the hosts and devices that a report of fio states; links of devices may hold serial numbers."""
    hosts = {("hostname", name.decode()) for name in HOST.findall(data)}
    return hosts | {("device", name.replace(b"\\/", b"/").decode()) for name in DEVICE.findall(data)}


def read(paths: Iterable[Path]) -> tuple[Runs, list[Path]]:
    """Return the results in files of tools that measure, and the files in which there are none."""
    found = Found()
    without = []
    for path in paths:
        is_kept = path.is_file() and detect.oversize(path) is None
        source = Source(path.name, path.read_bytes()) if is_kept else None
        if source is None or not found.put(source):
            without.append(path)
    return found.runs(), without


def below(paths: Iterable[Path]) -> tuple[Runs, list[Problem]]:
    """Return the results in files, below folders and in archives, and what of these cannot be read."""
    found, problems = Found(), []
    for place in files.list_files(paths):
        if not Path(place).is_file():
            problems.append(files.not_a_file(place))
            continue
        for each in archives.sources(place):
            if isinstance(each, Source):
                found.put(each)
            elif each.problem is not None:
                problems.append(each.problem)
    return found.runs(), problems


class Found:
    """Results as they are found, one file after the other."""

    def __init__(self) -> None:
        """Begin with none."""
        self._files: list[tuple[str, Reading]] = []
        self._targets: set[tuple[str, str]] = set()

    def put(self, source: Source) -> bool:
        """Read a file; say whether a tool that measures wrote results into it."""
        reading = detect.read(source)
        if not any(result.is_canonical for result in reading.results) or reading.tool == "published":
            return False
        self._files.append((plain(source.name), reading))
        self._targets |= _targets(source.data) if reading.tool == "fio" else set()
        return True

    def runs(self) -> Runs:
        """Return what was found."""
        return Runs(tuple(self._files), frozenset(self._targets))


def beside(target: Path) -> Runs:
    """Return the results in the folder of a target, or in the target itself where that is a folder."""
    folder = target if target.is_dir() else target.parent
    inside = sorted(path for path in folder.iterdir() if not path.name.startswith("."))[:MAX_FILES]
    return read(path for path in inside if _is_small(path))[0]


def _is_small(path: Path) -> bool:
    """Say whether a path is a file that this user can read and that is no larger than results are."""
    is_file = path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)
    return is_file and path.stat().st_size <= MAX_BYTES
