"""
The results that a manifest is for: which tool wrote them, in which version, and when they were measured.

The tool that is installed and the day of today tell nothing of that: only the files do.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest import agreement, detect
from ingest.placeholders import FROM_RESULTS
from ingest.problems import plain
from ingest.record import Reading, Source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from pathlib import Path

MAX_BYTES = 64 << 20
MAX_FILES = 1000
"""How much of a folder is looked through for results; larger ones are named on the command line."""


class Runs(NamedTuple):
    """Result files by name, as they were read."""

    files: tuple[tuple[str, Reading], ...]

    def __bool__(self) -> bool:
        """Say whether there is any result."""
        return bool(self.files)

    def unseen(self, day: date) -> str | None:
        """Return why a machine that is read on a day does not tell how it was at these runs, or None."""
        return agreement.unseen(self.files, day)

    def tested_on(self) -> str:
        """Return the first day (UTC) that the results tell, or unknown."""
        days = [day for _, reading in self.files for day in agreement.run_days(reading)]
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


def read(paths: Iterable[Path]) -> tuple[Runs, list[Path]]:
    """Return the results in files of tools that measure, and the files in which there are none."""
    found: list[tuple[str, Reading]] = []
    without: list[Path] = []
    for path in paths:
        reading = None if detect.oversize(path) is not None else detect.read(Source(path.name, path.read_bytes()))
        if reading is None or not any(result.is_canonical for result in reading.results) or reading.tool == "published":
            without.append(path)
        else:
            found.append((plain(path.name), reading))
    return Runs(tuple(found)), without


def beside(target: Path) -> Runs:
    """Return the results in the folder of a target, or in the target itself where that is a folder."""
    folder = target if target.is_dir() else target.parent
    inside = sorted(path for path in folder.iterdir() if not path.name.startswith("."))[:MAX_FILES]
    return read(path for path in inside if _is_small(path))[0]


def _is_small(path: Path) -> bool:
    """Say whether a path is a file that this user can read and that is no larger than results are."""
    is_file = path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)
    return is_file and path.stat().st_size <= MAX_BYTES
