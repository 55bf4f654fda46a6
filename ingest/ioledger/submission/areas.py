"""
The part of its target that a job of fio addresses, as its options state it.

``size`` is the part of all files of a process together; what is not stated is the whole target behind ``offset``, so
that it takes the target's capacity. A share of the target does so too. ``filesize`` is that of each file. Less may be
addressed than that: a sequential job with ``io_size`` begins again from the start when it has moved so much, and zones
leave parts out; of those nothing is told.

Source: fio's HOWTO, "I/O size" and "Target file/device", and ``setup_files()`` of its ``filesetup.c``.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.units import KIBI, option_size, whole

if TYPE_CHECKING:
    from ioledger.model import Result

ZONES = frozenset({"zonemode", "zonesize", "zonerange"})
ELSEWHERE = ZONES | {
    "offset", "offset_increment", "filesize", "nrfiles", "io_size", "io_limit",
}  # fmt: skip
"""Options beside which people state an area in more than one way."""
SHARE = re.compile(r"(\d{1,2}|100)%")
PERCENT = 100


class Area(NamedTuple):
    """What a job of fio addresses: of the files it names in all, or without a name of those of each process."""

    filename: str | None
    """As it is published: without the folder."""
    size_bytes: int
    text: str
    """The size as it was written, else in bytes."""
    start_bytes: int = 0
    step_bytes: int = 0
    """How much further each process starts than the one before."""

    def extent(self, processes: int) -> int:
        """Return the bytes that so many processes address together in the files that are named."""
        return min(self.step_bytes, self.size_bytes) * (processes - 1) + self.size_bytes


def options_of(result: Result) -> dict[str, str]:
    """Return the options of a result's job as text; of one that stands several times the last, as the tools do."""
    found = json.loads(result.job_options) if result.job_options else {}
    if not isinstance(found, dict):
        return {}
    last = {name: value[-1] if isinstance(value, list) and value else value for name, value in found.items()}
    return {name: value for name, value in last.items() if isinstance(value, str)}


def area_of(options: dict[str, str], count: int = 1, capacity_bytes: int | None = None) -> Area | None:
    """
    Return what a job addresses, or None where its options do not tell it.

    ``count`` is the number of files that it names, ``capacity_bytes`` that of each, where it is a whole device.
    """
    if options.keys() & ZONES:
        return None
    named = options.get("filename")
    files = count if named else whole(options.get("nrfiles", "1"))
    start = _size(options, "offset", capacity_bytes)
    step = _size(options, "offset_increment", capacity_bytes)
    if not files or start is None or step is None:
        return None
    stated, rest = options.get("size", ""), None if capacity_bytes is None else capacity_bytes - start
    total = _total(options, files, start, capacity_bytes)
    if total is not None and rest is not None:
        total = min(total, files * rest)
    limit = _size(options, "io_size", None) or _size(options, "io_limit", None)
    if total and limit and not is_random(options):
        total = min(total, limit)
    if not total or total < 0:
        return None
    is_as_written = total == _size(options, "size", None)
    return Area(named, total, stated if is_as_written else str(total), start, step)


def is_random(options: dict[str, str]) -> bool:
    """Say whether a job addresses its area in random order, in part at least."""
    return options.get("rw", "").startswith("rand") or "percentage_random" in options


def _total(options: dict[str, str], files: int, start: int, capacity: int | None) -> int | None:
    """Return the bytes of all files of a process behind the start, None where the options do not tell it."""
    stated = _size(options, "size", None)
    share = SHARE.fullmatch(options.get("size", "").strip())
    if "filesize" in options:
        each = _size(options, "filesize", None)
        whole_files = files * (each - start) if each else None
        # A random job addresses all of the files, a sequential one only as much as it moves.
        is_less = stated and whole_files and stated < whole_files
        return None if share or is_less else whole_files
    if share and capacity is not None:
        return files * (capacity * int(share[1]) // PERCENT)
    if share or stated is None:
        return None
    return stated or (None if capacity is None else files * (capacity - start))


def _size(options: dict[str, str], name: str, capacity: int | None) -> int | None:
    """Return the bytes of an option, 0 where it is not stated; None where they are a share of what is not known."""
    text = options.get(name, "0")
    share = SHARE.fullmatch(text.strip())
    if share:
        return None if capacity is None else capacity * int(share[1]) // PERCENT
    base = int(options["kb_base"]) if options.get("kb_base") in {"1000", "1024"} else KIBI
    return option_size(text, base)
