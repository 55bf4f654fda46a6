"""
What a result keeps of the options its tool was given, and where fio read and wrote by them.

Source: fio's HOWTO, "Target file/device" and "I/O size".
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.units import KIBI, option_size

if TYPE_CHECKING:
    from ioledger.readers.base import Result

ELSEWHERE = frozenset({
    "offset", "offset_increment", "filesize", "nrfiles", "io_size", "io_limit", "zonemode", "zonesize", "zonerange",
})  # fmt: skip
"""Options with which ``size`` alone does not tell what part of the target was used."""


class Area(NamedTuple):
    """The part of a target that a job of fio was given; without a name each process makes a file of its own."""

    filename: str | None
    """As it is published: without the folder."""
    size_bytes: int
    text: str
    """The size as it was written."""


def of(result: Result) -> dict[str, str]:
    """Return the options of a result's job as text; of one that stands several times the last, as the tools do."""
    found = json.loads(result.job_options) if result.job_options else {}
    if not isinstance(found, dict):
        return {}
    last = {name: value[-1] if isinstance(value, list) and value else value for name, value in found.items()}
    return {name: value for name, value in last.items() if isinstance(value, str)}


def area(options: dict[str, str]) -> Area | None:
    """Return the part of the target that options of fio name by its size, or None where they say it otherwise."""
    text = options.get("size", "")
    base = int(options["kb_base"]) if options.get("kb_base") in {"1000", "1024"} else KIBI
    size = option_size(text, base)
    if not size or options.keys() & ELSEWHERE:
        return None
    return Area(options.get("filename"), size, text)
