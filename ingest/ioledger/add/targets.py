"""
Where fio's jobs read and wrote: the file or device that they name, and how much of it.

Readers publish names without folders, so what is a device, and which file is the same, is read from the files' text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ioledger.submission.agreement import area_of, options_of

if TYPE_CHECKING:
    from ioledger.add.linking import Item
    from ioledger.readers.base import Result
    from ioledger.submission.agreement import Area

IN_REPORT = re.compile(rb'"filename"\s*:\s*"((?:[^"\\]|\\.)*)"')
IN_JOB = re.compile(rb"^[ \t]*filename[ \t]*=[ \t]*([^\r\n]*[^\s])", re.MULTILINE)
DEVICES = "/dev/"


class Target(NamedTuple):
    """The one area that every job was given, and the names of its files, none when each process makes its own."""

    area: Area
    names: tuple[str, ...]

    def words(self) -> str:
        """Return the area in words for a manifest; the name itself may tell of a person, and is left out."""
        size = f"{self.area.text} bytes" if self.area.text.isdigit() else self.area.text
        if not self.names:
            return f"{size} for each process, in a file of its own"
        devices = [name.startswith(DEVICES) for name in self.names]
        if len(self.names) == 1:
            return f"the first {size} of a device" if devices[0] else f"a file of {size}"
        noun = "devices" if all(devices) else "files and devices" if any(devices) else "files"
        return f"{size} over {len(self.names)} {noun}"


def measured(mine: list[Item]) -> Target | None:
    """Return the target that every job of the results was given, or None where they differ or one does not name it."""
    items = [item for item in mine if item.role == "result"]
    results = [result for item in items for result in item.reading.results if result.job_options]
    areas = {area_of(options_of(result)) for result in results}
    named = set().union(*(_named(item, mine) for item in items))
    if len(areas) != 1 or (area := areas.pop()) is None or len(named) != bool(area.filename):
        return None
    return Target(area, tuple(named.pop().split(":")) if named else ())


def covers(item: Item, written: Result, target: Target, mine: list[Item]) -> bool:
    """Say whether a sequential run of a file wrote every byte of a target: to the same file, once or more."""
    own = area_of(options_of(written))
    if own is None or len(target.names) != 1 or _named(item, mine) != set(target.names):
        return False
    is_whole = min(own.size_bytes, written.transferred_bytes or 0) >= target.area.size_bytes
    return is_whole and not written.error_code and not written.error_count


def _named(item: Item, mine: list[Item]) -> set[str]:
    """Return every value of ``filename`` in a report, or where it has none in the job file beside it."""
    found = IN_REPORT.findall(item.source.data)
    jobs = [] if found else [job for job in mine if job.name == item.ties.get("job")]
    found += [name for job in jobs for name in IN_JOB.findall(job.source.data)]
    return {name.replace(b"\\/", b"/").decode("utf-8", "replace") for name in found}
