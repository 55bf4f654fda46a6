"""
The results that a manifest is for: which tool wrote them, in which version, and when they were measured.

The tool that is installed and the day of today tell nothing of that: only the files do.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.loading import archives, files
from ioledger.model import Reading, Source
from ioledger.problems import Problem, plain
from ioledger.readers import detect
from ioledger.submission import dates
from ioledger.submission.shape import FROM_RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterable

HOST = re.compile(rb'"hostname"\s*:\s*"([\w.:-]{1,255})"', re.ASCII)
DEVICE = re.compile(rb'"filename"\s*:\s*"(\\?/dev\\?/\w{1,32})"', re.ASCII)
LOCAL = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1", re.IGNORECASE)
MAX_BYTES = 64 << 20
MAX_FILES = 1000
"""How much of a folder is looked through for results; larger ones are named on the command line."""


class Runs(msgspec.Struct):
    """Result files by name, as they were read; and the hosts and devices that reports of fio name."""

    files: list[tuple[str, Reading]] = []
    targets: set[tuple[str, str]] = set()
    """``hostname`` or ``device``, and the name."""

    def add(self, source: Source) -> bool:
        """Read a file; say whether a tool that measures wrote results into it."""
        reading = detect.read(source)
        if not any(result.is_canonical for result in reading.results) or reading.tool == "published":
            return False
        self.files.append((plain(files.file_of(source.name)), reading))
        if reading.tool == "fio":
            self.targets |= {("hostname", name.decode()) for name in HOST.findall(source.data)}
            devices = DEVICE.findall(source.data)  # links of devices may hold serial numbers
            self.targets |= {("device", name.replace(b"\\/", b"/").decode()) for name in devices}
        return True

    def find_other_machine(self, here: frozenset[str], root: Path) -> str | None:
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
        unknown = {"unknown": "the results do not state it" if readings else FROM_RESULTS}
        return {
            "tool": one_of("tools", [reading.tool for reading in readings]) or unknown,
            "tool_version": one_of("versions", [reading.tool_version for reading in readings]) or dict(unknown),
        }


def one_of(what: str, stated: list[str | None]) -> dict[str, Any] | None:
    """
    Return the one value that files state, with a note when some do not; unknown with all of them where they differ.

    None when no file states any.
    """
    values = sorted({value for value in stated if value is not None})
    silent = stated.count(None)
    if len(values) > 1:
        return {"unknown": f"the files state {len(values)} {what}: {', '.join(values)}"}
    note = {"note": f"{silent} of {len(stated)} files do not state it"} if silent else {}
    return {"value": values[0], "how_known": "collected", **note} if values else None


def read(paths: Iterable[Path]) -> tuple[Runs, list[Path], list[Problem]]:
    """Return the results in files, below folders and in archives, the paths without any, and what cannot be read."""
    runs, without, problems = Runs(), list[Path](), list[Problem]()
    for path in paths:
        before = len(runs.files)
        for place in files.list_files([path]):
            for each in archives.sources(place) if Path(place).is_file() else [files.not_a_file(place)]:
                if isinstance(each, Source):
                    runs.add(each)
                elif (problem := each if isinstance(each, Problem) else each.problem) is not None:
                    problems.append(problem)
        without += [path] if len(runs.files) == before else []
    return runs, without, problems


def read_beside(target: Path) -> Runs:
    """Return the results in the folder of a target, or in the target itself where that is a folder."""
    folder, runs = target if target.is_dir() else target.parent, Runs()
    for path in sorted(path for path in folder.iterdir() if not path.name.startswith("."))[:MAX_FILES]:
        if path.is_file() and not path.is_symlink() and os.access(path, os.R_OK) and path.stat().st_size <= MAX_BYTES:
            runs.add(Source(path.name, path.read_bytes()))
    return runs
