"""
What the data looked like that fio wrote, as far as its options tell.

Told are the four kinds that matter to what is below: random bytes, a share of zeros in every buffer, a pattern that
repeats, zeros. Incompressible is only what ``refill_buffers`` makes. fio's default fills each buffer once with random
bytes and writes the offset and the time into every 512 bytes before it is written again: naive deduplication finds
nothing, but blocks resemble each other. As fio 3.33 wrote blocks of 4 KiB here, zlib made 0.92 of a block alone, and of
128 KiB 0.05 at depth 1 (one buffer) and 0.92 at depth 32; after ``refill_buffers`` it made 1.00 of both.

Reports before fio 3.39 leave flags without a value out, so that ``zero_buffers`` may be set unseen: what is not stated
is the default only in newer reports, and beside the job file that the run is tied to.

Source: fio's HOWTO, "Buffers and memory"; ``fill_io_buffer()`` of its ``io_u.c``, in which a share of zeros goes before
a pattern, and a pattern before zeros.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.submission.areas import options_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.submission.target import Handed

FLAGS_SHOWN = (3, 39)
"""The version of fio from which on its reports show flags without a value."""
NUMBERS = re.compile(r"(\d+)\.(\d+)")
SHOWN_CHARACTERS = 40
PERCENT = 100
UNSURE = {
    "dedupe_percentage", "verify", "verify_pattern", "experimental_verify", "read_iolog", "buffer_compress_chunk",
}  # fmt: skip
"""Options with which fio writes something else, or only some of the blocks alike."""
RANDOM = {
    (False, True): "random, filled in once and scrambled before every write",
    (False, False): "random, filled in once",
    (True, False): "random, refilled for every write: incompressible",
    (True, True): "random, refilled for every write: incompressible",
}
"""By ``refill_buffers`` and ``scramble_buffers``; the first goes before the second."""
NOTHING_WRITTEN = "neither the runs nor a preparation among the files wrote anything"


def pattern(mine: Sequence[Handed]) -> dict[str, Any] | None:
    """Return what the runs wrote, else the preparation before them, as a manifest states it; None where it is open."""
    jobs = {role: _jobs(mine, role) for role in ("result", "preparation")}
    role = "result" if jobs["result"] else "preparation"
    if not jobs[role]:
        tools = {item.reading.tool for item in mine if item.role == "result"}
        return {"none": NOTHING_WRITTEN} if tools == {"fio"} else None
    words = {_words(options, is_whole=is_whole) for options, is_whole in jobs[role]}
    told = words.pop() if len(words) == 1 else None
    of = "every job" if role == "result" else "the preparation"
    return {"value": told, "how_known": "collected", "note": f"from the options of {of}"} if told else None


def _jobs(mine: Sequence[Handed], role: str) -> list[tuple[dict[str, str], bool]]:
    """Return the options of every job of fio that wrote, and whether what they do not state is the default."""
    found = []
    for item in mine:
        for result in item.reading.results if item.role == role and item.reading.tool == "fio" else ():
            if result.operation in {"write", "mixed"} and result.is_canonical:
                version = NUMBERS.search(result.tool_version or "")
                is_shown = version is not None and (int(version[1]), int(version[2])) >= FLAGS_SHOWN
                is_whole = bool(result.job_options) and (is_shown or "job" in item.ties)
                found.append((options_of(result), is_whole))
    return found


def _words(options: dict[str, str], *, is_whole: bool) -> str | None:
    """Return what a job writes in words, None where its options leave it open."""
    share, repeated = options.get("buffer_compress_percentage", "0").rstrip("%"), options.get("buffer_pattern")
    if options.keys() & UNSURE or not share.isdigit() or (int(share) and repeated is not None):
        return None
    if 0 < int(share) < PERCENT:
        return f"compressible: {share} % of every buffer are zeros"
    if repeated is not None:
        return f"constant: a pattern, {repeated[:SHOWN_CHARACTERS]}"
    if int(share) or options.get("zero_buffers", "0") != "0":
        return "zero: every byte" if options.get("scramble_buffers", "0") == "0" else None
    refill, scramble = options.get("refill_buffers"), options.get("scramble_buffers")
    is_stated = refill is not None and (scramble is not None or refill != "0")
    return RANDOM[refill not in {None, "0"}, scramble != "0"] if is_whole or is_stated else None
